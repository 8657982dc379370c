/** Time left at this rate in words: `12 s left`, `3 min left`; empty when it cannot be told or is over. */
export const timeLeft = (bytesLeft: number, bytesPerSecond: number): string => {
  if (!(bytesPerSecond > 0) || bytesLeft <= 0) {
    return '';
  }
  const seconds = bytesLeft / bytesPerSecond;
  if (seconds < 90) {
    return `${Math.max(1, Math.round(seconds))} s left`;
  }
  return seconds < 5400 ? `${Math.round(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`;
};
