/** A name as an import has it. */
export interface ImportName {
  readonly module: string;
  readonly name: string;
}

/** Modules that Python 3 renamed (CPython 3.11, Lib/_compat_pickle.py, IMPORT_MAPPING), `old new`. */
const MODULES = `
  __builtin__ builtins
  copy_reg copyreg
  Queue queue
  SocketServer socketserver
  ConfigParser configparser
  repr reprlib
  tkFileDialog tkinter.filedialog
  tkSimpleDialog tkinter.simpledialog
  tkColorChooser tkinter.colorchooser
  tkCommonDialog tkinter.commondialog
  Dialog tkinter.dialog
  Tkdnd tkinter.dnd
  tkFont tkinter.font
  tkMessageBox tkinter.messagebox
  ScrolledText tkinter.scrolledtext
  Tkconstants tkinter.constants
  Tix tkinter.tix
  ttk tkinter.ttk
  Tkinter tkinter
  markupbase _markupbase
  _winreg winreg
  thread _thread
  dummy_thread _dummy_thread
  dbhash dbm.bsd
  dumbdbm dbm.dumb
  dbm dbm.ndbm
  gdbm dbm.gnu
  xmlrpclib xmlrpc.client
  SimpleXMLRPCServer xmlrpc.server
  httplib http.client
  htmlentitydefs html.entities
  HTMLParser html.parser
  Cookie http.cookies
  cookielib http.cookiejar
  BaseHTTPServer http.server
  test.test_support test.support
  commands subprocess
  urlparse urllib.parse
  robotparser urllib.robotparser
  urllib2 urllib.request
  anydbm dbm
  _abcoll collections.abc
  cPickle pickle
  _elementtree xml.etree.ElementTree
  FileDialog tkinter.filedialog
  SimpleDialog tkinter.simpledialog
  DocXMLRPCServer xmlrpc.server
  SimpleHTTPServer http.server
  CGIHTTPServer http.server
  UserDict collections
  UserList collections
  UserString collections
  whichdb dbm
  StringIO io
  cStringIO io
`;

/** Names that moved (NAME_MAPPING), `module name new-module new-name`; those of `exceptions` are in a rule below. */
const NAMES = `
  __builtin__ xrange builtins range
  __builtin__ reduce functools reduce
  __builtin__ intern sys intern
  __builtin__ unichr builtins chr
  __builtin__ unicode builtins str
  __builtin__ long builtins int
  itertools izip builtins zip
  itertools imap builtins map
  itertools ifilter builtins filter
  itertools ifilterfalse itertools filterfalse
  itertools izip_longest itertools zip_longest
  UserDict IterableUserDict collections UserDict
  UserList UserList collections UserList
  UserString UserString collections UserString
  whichdb whichdb dbm whichdb
  _socket fromfd socket fromfd
  _multiprocessing Connection multiprocessing.connection Connection
  multiprocessing.process Process multiprocessing.context Process
  multiprocessing.forking Popen multiprocessing.popen_fork Popen
  urllib ContentTooShortError urllib.error ContentTooShortError
  urllib getproxies urllib.request getproxies
  urllib pathname2url urllib.request pathname2url
  urllib quote_plus urllib.parse quote_plus
  urllib quote urllib.parse quote
  urllib unquote_plus urllib.parse unquote_plus
  urllib unquote urllib.parse unquote
  urllib url2pathname urllib.request url2pathname
  urllib urlcleanup urllib.request urlcleanup
  urllib urlencode urllib.parse urlencode
  urllib urlopen urllib.request urlopen
  urllib urlretrieve urllib.request urlretrieve
  urllib2 HTTPError urllib.error HTTPError
  urllib2 URLError urllib.error URLError
  multiprocessing AuthenticationError multiprocessing.context AuthenticationError
  multiprocessing BufferTooShort multiprocessing.context BufferTooShort
  multiprocessing ProcessError multiprocessing.context ProcessError
  multiprocessing TimeoutError multiprocessing.context TimeoutError
  __builtin__ basestring builtins str
  UserDict UserDict collections UserDict
  socket _socketobject socket SocketType
`;
const rows = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

const NEW_MODULES: ReadonlyMap<string, string> = new Map(rows(MODULES).map(([old = '', now = '']) => [old, now]));

const NEW_NAMES: ReadonlyMap<string, ImportName> = new Map(
  rows(NAMES).map(([module = '', name = '', newModule = '', newName = '']) => [
    `${module} ${name}`,
    { module: newModule, name: newName },
  ]),
);

/**
 * The name that a loader of Python 3 makes of a Python-2 name, which it does for protocols below 3; any other name
 * unchanged.
 */
export const python3Name = (module: string, name: string): ImportName => {
  const moved = NEW_NAMES.get(`${module} ${name}`);
  if (moved !== undefined) {
    return moved;
  }
  if (module === 'exceptions') {
    return { module: 'builtins', name: name === 'StandardError' ? 'Exception' : name };
  }
  const renamed = NEW_MODULES.get(module);
  return { module: renamed ?? module, name };
};
