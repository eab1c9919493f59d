package io.entroq.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file of lines that knows which works it has lines of. Thread-safe.
 *
 * <p>It uses no {@link java.nio.channels.FileChannel}, which an interrupt of one worker's thread
 * would close for all.
 */
final class AppendFile implements AutoCloseable {
  /** How much of a file is read for that when it is opened. */
  private static final long REMEMBERED_BYTES_MAX = 64L << 20;

  /** Values have 8 MiB at most, and six characters in JSON for each byte. */
  private static final long LINE_BYTES_MAX = 64L << 20;

  /**
   * The open ones of this process. Whoever opens the file of a lock and closes it again ends the
   * lock that the process has by another descriptor.
   */
  private static final Set<Path> LOCK_PATHS = ConcurrentHashMap.newKeySet();

  /** How each line begins. */
  private static final String BEGINNING = "{\"id\":";

  private final Path path;
  private final long fileBytesMax;
  private final int rememberedMax;
  private final Path lockPath;
  private final Map<String, Boolean> remembered =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > rememberedMax;
        }
      };

  private RandomAccessFile lock;
  private RandomAccessFile file;

  /** Where the next line begins. */
  private long end;

  /** Whether the file may have more than its lines, or is not the one at its path. */
  private boolean isBroken;

  private boolean isClosed;

  private AppendFile(Path path, long fileBytesMax, int rememberedMax, Path lockPath) {
    this.path = path;
    this.fileBytesMax = fileBytesMax;
    this.rememberedMax = rememberedMax;
    this.lockPath = lockPath;
  }

  /**
   * Opens a file and locks it.
   *
   * @param fileBytesMax when to begin a new one; 0 for never
   * @param rememberedMax how many works it remembers
   */
  static AppendFile open(Path path, long fileBytesMax, int rememberedMax) throws IOException {
    Path lockPath = path.resolveSibling(path.getFileName() + ".lock");
    refuseLink(path);
    refuseLink(lockPath);
    Path realLockPath = realDirectory(path).resolve(lockPath.getFileName());
    if (!LOCK_PATHS.add(realLockPath)) {
      throw inUse(path);
    }
    AppendFile file = new AppendFile(path, fileBytesMax, rememberedMax, realLockPath);
    boolean isOpen = false;
    try {
      file.lock();
      file.load();
      isOpen = true;
    } finally {
      if (!isOpen) {
        file.close();
      }
    }
    return file;
  }

  private static Path realDirectory(Path path) throws IOException {
    try {
      return path.getParent().toRealPath();
    } catch (NoSuchFileException e) {
      throw new IOException("there is no directory for " + path, e);
    }
  }

  private static IOException inUse(Path path) {
    return new IOException(path + " is in use by another appender");
  }

  private static void refuseLink(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      throw new IOException(path + " is a symbolic link");
    }
  }

  private void lock() throws IOException {
    lock = new RandomAccessFile(lockPath.toFile(), "rw");
    try {
      if (lock.getChannel().tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      // By this process, but another class loader.
    }
    throw inUse(path);
  }

  private void load() throws IOException {
    OptionalLong newest = newestNumber();
    if (newest.isPresent()) {
      remember(numbered(newest.getAsLong()));
    }
    file = new RandomAccessFile(path.toFile(), "rw");
    cutIncompleteLine();
    remember(path);
    RootedDirectory.force(path.getParent());
  }

  /** What a crash has left of a line that was never reported as written. */
  private void cutIncompleteLine() throws IOException {
    long end = file.length();
    long lineStart = startOfLastLine(end);
    if (lineStart == end) {
      return;
    }
    byte[] beginning = new byte[(int) Math.min(BEGINNING.length(), end - lineStart)];
    file.seek(lineStart);
    file.readFully(beginning);
    if (!BEGINNING.startsWith(new String(beginning, StandardCharsets.UTF_8))) {
      throw new IOException(
          "%s does not end with a line of this worker; move it away, or end its last line"
              .formatted(path));
    }
    file.setLength(lineStart);
    file.getFD().sync();
  }

  /** After the last end of a line, but not before what the longest line may have. */
  private long startOfLastLine(long end) throws IOException {
    byte[] block = new byte[64 * 1024];
    long from = end;
    while (from > Math.max(0, end - LINE_BYTES_MAX)) {
      int length = (int) Math.min(block.length, from);
      from -= length;
      file.seek(from);
      file.readFully(block, 0, length);
      for (int i = length - 1; i >= 0; i--) {
        if (block[i] == '\n') {
          return from + i + 1;
        }
      }
    }
    return from;
  }

  private void remember(Path lines) throws IOException {
    long skipped = Math.max(0, Files.size(lines) - REMEMBERED_BYTES_MAX);
    try (InputStream stream = new BufferedInputStream(Files.newInputStream(lines))) {
      stream.skipNBytes(skipped);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = stream.read(); b >= 0; b = stream.read()) {
        if (b == '\n') {
          remember(line.toByteArray());
          line.reset();
        } else {
          line.write(b);
        }
      }
    }
  }

  /** Lines of others, and the rest of one, are ignored. */
  private void remember(byte[] line) throws IOException {
    try {
      JsonNode json = Json.MAPPER.readTree(line);
      TaskId id = TaskId.of(json.path("id").asText());
      remembered.put(Json.workKey(id, Instant.parse(json.path("created").asText())), true);
    } catch (JsonProcessingException | EntroQException | DateTimeException e) {
      // Not one of ours.
    }
  }

  /**
   * Appends a line and forces it to disk, unless it has one of this work.
   *
   * @param line without its end
   */
  synchronized void append(String workKey, byte[] line) throws IOException {
    if (remembered.containsKey(workKey)) {
      return;
    }
    if (isClosed) {
      throw new IOException(path + " is closed");
    }
    if (isBroken) {
      reopen();
    }
    end = file.length();
    if (fileBytesMax > 0 && end >= fileBytesMax) {
      rotate();
    }
    byte[] bytes = new byte[line.length + 1];
    System.arraycopy(line, 0, bytes, 0, line.length);
    bytes[line.length] = '\n';
    isBroken = true;
    try {
      file.seek(end);
      file.write(bytes);
      file.getFD().sync();
    } catch (IOException e) {
      // Such as a full disk: the next line must not follow a part of this one. And what a failed
      // force leaves on the disk is not known, so the line is written again.
      try {
        reopen();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    isBroken = false;
    remembered.put(workKey, true);
  }

  private void rotate() throws IOException {
    Path older = numbered(newestNumber().orElse(0) + 1);
    isBroken = true;
    Files.move(path, older, StandardCopyOption.ATOMIC_MOVE);
    end = 0;
    reopen();
  }

  /** Opens what is at the path, without what follows the lines. */
  private void reopen() throws IOException {
    file.close();
    refuseLink(path);
    file = new RandomAccessFile(path.toFile(), "rw");
    // Somebody may have moved it away, or cut it.
    end = Math.min(end, file.length());
    file.setLength(end);
    file.getFD().sync();
    RootedDirectory.force(path.getParent());
    isBroken = false;
  }

  private Path numbered(long number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  private OptionalLong newestNumber() throws IOException {
    String beginning = path.getFileName() + ".";
    OptionalLong newest = OptionalLong.empty();
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(path.getParent())) {
      for (Path sibling : siblings) {
        String name = sibling.getFileName().toString();
        if (name.startsWith(beginning) && name.substring(beginning.length()).matches("\\d{1,18}")) {
          long number = Long.parseLong(name.substring(beginning.length()));
          newest = OptionalLong.of(Math.max(number, newest.orElse(0)));
        }
      }
    }
    return newest;
  }

  String name() {
    return path.getFileName().toString();
  }

  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      try {
        if (lock != null) {
          lock.close();
        }
      } finally {
        LOCK_PATHS.remove(lockPath);
      }
    }
  }
}
