/** Lists are texts to be read as such: `module: name name …`, one module a line. */
const parse = (text: string): readonly (readonly [module: string, names: readonly string[]])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [module = '', names = ''] = line.split(':');
      return [module.trim(), names.trim().split(/\s+/)];
    });

const dotted = (text: string): ReadonlySet<string> =>
  new Set(parse(text).flatMap(([module, names]) => names.map((name) => `${module}.${name}`)));

const STORAGES =
  'DoubleStorage FloatStorage HalfStorage LongStorage IntStorage ShortStorage CharStorage ByteStorage BoolStorage ' +
  'BFloat16Storage ComplexDoubleStorage ComplexFloatStorage';
const QUANTISED = 'QInt8Storage QInt32Storage QUInt8Storage QUInt4x2Storage QUInt2x4Storage';
const TENSORS =
  'BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor';
const SCALAR_TYPES =
  'bool_ bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longdouble complex64 complex128 ' +
  'str_ bytes_ datetime64 timedelta64';

/**
 * Imports that ordinary checkpoints make and that only build data, by their whole names in Python 3 (FORMATS.md 2.6, 2.7,
 * 2.9, 3.3). Whatever is not here is at least unknown: there is no trust in a prefix.
 */
export const ALLOWED_IMPORTS: ReadonlySet<string> = dotted(`
  collections: OrderedDict defaultdict deque Counter
  builtins: set frozenset bytearray bytes complex list dict tuple int float str bool slice range object Ellipsis
  _codecs: encode
  copyreg: _reconstructor
  datetime: datetime date time timedelta timezone
  pathlib: Path PurePath PosixPath WindowsPath PurePosixPath PureWindowsPath
  pathlib._local: Path PurePath PosixPath WindowsPath PurePosixPath PureWindowsPath
  numpy: dtype ndarray ${SCALAR_TYPES}
  numpy.core.multiarray: _reconstruct scalar
  numpy._core.multiarray: _reconstruct scalar
  numpy.core.numeric: _frombuffer
  numpy._core.numeric: _frombuffer
  torch: Size Tensor device dtype ${STORAGES} ${QUANTISED} UntypedStorage ${TENSORS} BoolTensor
  torch: float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz float8_e8m0fnu float4_e2m1fn_x2 float16 float32 float64
  torch: bfloat16 half float double bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 short int long
  torch: complex32 complex64 complex128 bcomplex32 qint8 qint32 quint8 quint4x2 quint2x4
  torch: bits8 bits16 bits1x8 bits2x4 bits4x2 int1 int2 int3 int4 int5 int6 int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7
  torch: per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric per_channel_affine_float_qparams
  torch.cuda: ${STORAGES} ${TENSORS} BoolTensor
  torch.sparse: ${TENSORS}
  torch.cuda.sparse: ${TENSORS}
  torch.storage: TypedStorage UntypedStorage _TypedStorage _UntypedStorage ${STORAGES} ${QUANTISED}
  torch.serialization: _get_layout
  torch.nn.parameter: Parameter Buffer UninitializedParameter UninitializedBuffer
  torch.autograd.variable: Variable
  torch._tensor: _rebuild_from_type_v2 _rebuild_from_type
  torch.tensor: _rebuild_from_type_v2 _rebuild_from_type
  torch._utils: _rebuild_tensor _rebuild_tensor_v2 _rebuild_tensor_v3 _rebuild_parameter _rebuild_parameter_with_state
  torch._utils: _rebuild_qtensor _rebuild_sparse_tensor _rebuild_sparse_csr_tensor _rebuild_nested_tensor
  torch._utils: _rebuild_meta_tensor_no_storage _rebuild_wrapper_subclass _rebuild_device_tensor_from_numpy
  torch._utils: _rebuild_xla_tensor _rebuild_device_tensor_from_cpu_tensor
  torch.jit._pickle: restore_type_tag build_intlist build_tensorlist build_doublelist build_boollist build_tensor_from_id
`);

/**
 * Harmless or ambiguous names of modules that are dangerous otherwise: unknown, not danger. Programs that save them are no
 * rarity, and a report that cries wolf is not read (FIELD-CASES B40).
 */
export const MERELY_UNKNOWN: ReadonlySet<string> = dotted(`
  types: SimpleNamespace MappingProxyType
  uuid: UUID SafeUUID
  logging: getLogger
  http: HTTPStatus
  signal: Signals
  _io: BytesIO StringIO
  io: BytesIO StringIO
  functools: cmp_to_key
`);

/** Functions of `builtins` that look at values and do nothing else (fickling's list, without those allowed above). */
export const HARMLESS_BUILTINS: ReadonlySet<string> = new Set(
  (
    'len abs sum min max round pow divmod sorted reversed enumerate zip map filter iter next all any hash id repr ascii ' +
    'bin hex oct ord chr isinstance issubclass callable format type NotImplemented memoryview'
  ).split(' '),
);

/** Why a module or name is dangerous, and which: a name counts with everything below it. */
const DANGEROUS: readonly (readonly [why: string, names: string])[] = [
  [
    'runs commands',
    `os posix nt subprocess commands popen2 pty _posixsubprocess multiprocessing _multiprocessing pexpect sh platform
     pip ensurepip venv webbrowser _osx_support _aix_support distutils compileall py_compile asyncio concurrent
     torch.utils.collect_env torch.distributed.rpc torch.distributed.launcher torch.distributed.elastic
     torch.utils.cpp_extension torch.utils.bottleneck mlflow.projects numpy.distutils numpy.f2py setuptools`,
  ],
  [
    'runs code',
    `code codeop runpy marshal new types compiler bdb pdb profile cProfile timeit trace doctest unittest test pydoc inspect
     site gc idlelib lib2to3 _pyrepl _interpreters _xxsubinterpreters _xxinterpchannels exec eval compile
     numpy.testing._private.utils numpy.testing.utils torch._dynamo torch._inductor torch.compile torch.jit
     torch.fx.experimental.symbolic_shapes torch.utils.data.datapipes.utils.decoder torch.utils._config_module
     torch.fx.graph_module torch.package cloudpickle.cloudpickle.subimport numexpr pandas.eval pandas.core.computation
     jinja2 mako sympy.sympify`,
  ],
  [
    'finds objects by name, with which any function can be reached',
    `importlib _frozen_importlib _frozen_importlib_external _imp imp pkgutil zipimport operator _operator functools
     sys builtins.__import__ cloudpickle dill linecache ctypes _ctypes cffi _cffi_backend code.InteractiveInterpreter`,
  ],
  [
    'loads another pickle or program',
    `pickle _pickle cPickle shelve joblib jsonpickle dbm torch.load torch.serialization.load torch.hub numpy.load
     numpy.lib.npyio numpy.lib._npyio_impl pandas.read_pickle pandas.io.pickle pandas.compat.pickle_compat yaml
     keras.models.load_model
     tensorflow.keras.models.load_model sklearn.externals.joblib`,
  ],
  [
    'reads or writes files',
    `shutil tempfile filecmp fileinput glob mmap tarfile zipfile sqlite3 _sqlite3 _io io nturl2path pandas.io difflib
     pipes logging syslog select selectors atexit signal _signal threading _thread dummy_threading uuid`,
  ],
  [
    'uses the network',
    `socket _socket ssl _ssl http urllib urllib2 urllib3 requests aiohttp httplib httpx ftplib poplib smtplib imaplib
     telnetlib nntplib socketserver xmlrpc xmlrpclib paramiko`,
  ],
  [
    'interferes with scanners of pickles',
    'fickling picklescan modelscan modelaudit saferpickle model_unpickler tensor_loupe',
  ],
];

/** Dotted names, modules or below, with why they are dangerous (FORMATS.md 3.3: the lists of four scanners, united). */
export const DANGEROUS_NAMES: ReadonlyMap<string, string> = new Map(
  DANGEROUS.flatMap(([why, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, why] as const),
  ),
);

/**
 * Names that mean danger as any component: nobody calls a module of his own like this, and `some.module.os` is `os`.
 */
export const DANGEROUS_COMPONENTS: ReadonlySet<string> = new Set(
  (
    'os nt posix sys subprocess builtins __builtin__ __builtins__ ctypes importlib imp runpy pty shutil socket pickle ' +
    '_pickle cPickle marshal cloudpickle dill eval exec'
  ).split(' '),
);

/** Functions that make objects of the bytes they are given: what is in those bytes is scanned. */
export const LOADERS: ReadonlySet<string> = dotted(`
  pickle: loads load _loads _load Unpickler
  _pickle: loads load Unpickler
  cPickle: loads load Unpickler
  dill: loads load
  dill._dill: loads load
  cloudpickle: loads load
  cloudpickle.cloudpickle: loads load
  joblib: load
  joblib.numpy_pickle: load
  torch: load
  torch.serialization: load _legacy_load
  torch.storage: _load_from_bytes
  numpy: load
  pandas: read_pickle
  torch.utils.data.datapipes.utils.decoder: basichandlers
  torch.utils._config_module: ConfigModule.load_config
`);
