package io.entroq.engine.backup;

import io.entroq.engine.Closing;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.engine.log.retention.LogHold;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Reads a backup file by file from a data directory in which an engine runs: the newest good
 * snapshot and the log after it, up to a given record.
 *
 * <p>Its files stay open, so they can be read slowly even after the engine has removed them; they
 * take disk space until this is closed. Not thread-safe; blocks.
 */
public final class BackupReading implements AutoCloseable {
  private final Path source;
  private final long sequence;
  private final List<SourceFile> files = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private long snapshotSequence;
  private int next;
  private SourceFile present;
  private long left;

  private BackupReading(Path source, long sequence) {
    this.source = source;
    this.sequence = sequence;
  }

  /**
   * Selects the files and opens them.
   *
   * @param source the data directory
   * @param policy how to treat a hole in the log
   * @param sequence the last record of the backup
   * @throws RecordsRemovedException if the files around that record have just changed; retry with a
   *     later record
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   * @throws LogException if the log ends before that record or cannot be read
   */
  public static BackupReading open(Path source, HolePolicy policy, long sequence) {
    BackupReading reading = new BackupReading(source, sequence);
    LogDirectory log = LogDirectory.read(source);
    try (LogHold hold = LogHold.of(log, "backup")) {
      reading.open(log, policy);
      // Open files stay readable after their removal.
      hold.advance(sequence);
      return reading;
    } catch (IOException e) {
      Closing.after(e, reading);
      throw LogException.error(
          "Cannot read %s: %s".formatted(source.toAbsolutePath(), FileErrors.describe(e)), e);
    } catch (Throwable t) {
      Closing.after(t, reading);
      throw t;
    }
  }

  private void open(LogDirectory log, HolePolicy policy) throws IOException {
    Manifest snapshot = openSnapshot();
    snapshotSequence = snapshot == null ? 0 : snapshot.sequence();
    LogExtent extent = LogExtent.upTo(sequence, log, policy, snapshot);
    if (extent.lastSequence() < sequence) {
      throw LogException.error(
          "The log in %s ends with record %,d, before the requested record %,d"
              .formatted(source.toAbsolutePath(), extent.lastSequence(), sequence));
    }
    if (snapshotSequence == sequence && !extent.endsThere()) {
      throw new RecordsRemovedException(
          "The log in %s has grown beyond record %,d, the last one in its snapshot"
              .formatted(source.toAbsolutePath(), sequence));
    }
    for (Map.Entry<Path, Long> file : extent.bytesByFile().entrySet()) {
      files.add(SourceFile.open(source, file.getKey(), file.getValue()));
    }
  }

  /** Opens the newest good snapshot up to the requested record; null if there is none. */
  private Manifest openSnapshot() throws IOException {
    SnapshotDirectory snapshots = new SnapshotDirectory(source, Forcer.DISK);
    for (Snapshot snapshot : snapshots.newestFirst()) {
      Manifest manifest = snapshot.sequence() > sequence ? null : open(snapshots, snapshot);
      if (manifest != null) {
        return manifest;
      }
    }
    return null;
  }

  private Manifest open(SnapshotDirectory snapshots, Snapshot snapshot) throws IOException {
    try {
      Manifest manifest = snapshots.reader(snapshot).verify();
      files.add(SourceFile.whole(source, snapshot.state()));
      files.add(SourceFile.whole(source, snapshot.manifest()));
      return manifest;
    } catch (SnapshotDamagedException | NoSuchFileException e) {
      Closing.all(files.toArray(AutoCloseable[]::new));
      files.clear();
      return null;
    }
  }

  /** The last record in its snapshot; 0 without a snapshot. */
  public long snapshotSequence() {
    return snapshotSequence;
  }

  /** The last record of its log. */
  public long sequence() {
    return sequence;
  }

  /** Total size of its files. */
  public long bytes() {
    return files.stream().mapToLong(SourceFile::bytes).sum();
  }

  /** Moves to the next file; initially before the first. Returns false if there are no more. */
  public boolean nextFile() {
    if (next == files.size()) {
      return false;
    }
    present = files.get(next++);
    left = present.bytes();
    crc.reset();
    return true;
  }

  /** Path of the current file, relative to the data directory, with slashes. */
  public String path() {
    return present.path();
  }

  /** Size of the current file. */
  public long fileBytes() {
    return present.bytes();
  }

  /**
   * Reads the next bytes of the current file, filling the buffer or up to the end.
   *
   * @return false at the end of the file
   * @throws LogException if it cannot be read
   */
  public boolean read(ByteBuffer buffer) {
    if (left == 0) {
      return false;
    }
    int begin = buffer.position();
    int limit = buffer.limit();
    buffer.limit((int) Math.min(limit, begin + left));
    try {
      while (buffer.hasRemaining()) {
        if (present.channel().read(buffer) < 0) {
          throw new EOFException("the file is shorter than it was");
        }
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot read %s in %s: %s"
              .formatted(path(), source.toAbsolutePath(), FileErrors.describe(e)),
          e);
    }
    left -= buffer.position() - begin;
    crc.update(buffer.duplicate().flip().position(begin));
    buffer.limit(limit);
    return true;
  }

  /** CRC32C of the bytes read from the current file. */
  public int crc() {
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    Closing.all(files.toArray(AutoCloseable[]::new));
  }
}
