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
 * A backup as it leaves a data directory, beside its engine and file by file: the newest good
 * snapshot and the log behind it, up to a record and no further.
 *
 * <p>Once it is open it keeps nobody from anything: its files are read to their end however slowly,
 * also when the engine has removed them meanwhile, and until then take room on the disk. One
 * thread; blocks.
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
   * Finds out what there is to read, and opens it.
   *
   * @param source the data directory
   * @param policy what a hole in the log means
   * @param sequence the last record that is wanted
   * @throws RecordsRemovedException if what lies around that record has just changed: with a later
   *     one it may be done
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   * @throws LogException if the log has not come to that record, or cannot be read
   */
  public static BackupReading open(Path source, HolePolicy policy, long sequence) {
    BackupReading reading = new BackupReading(source, sequence);
    LogDirectory log = LogDirectory.read(source);
    try (LogHold hold = LogHold.of(log, "backup")) {
      reading.open(log, policy);
      // What is open stays to be read.
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
          "The log in %s ends with record %,d, and %,d is wanted"
              .formatted(source.toAbsolutePath(), extent.lastSequence(), sequence));
    }
    if (snapshotSequence == sequence && !extent.endsThere()) {
      throw new RecordsRemovedException(
          "The log in %s has gone on behind record %,d, with which its snapshot ends"
              .formatted(source.toAbsolutePath(), sequence));
    }
    for (Map.Entry<Path, Long> file : extent.bytesByFile().entrySet()) {
      files.add(SourceFile.open(source, file.getKey(), file.getValue()));
    }
  }

  /** What the newest is of that is good and not too new; null if there is none. */
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

  /** The last record that its snapshot holds, 0 if it has none. */
  public long snapshotSequence() {
    return snapshotSequence;
  }

  /** The last record of its log. */
  public long sequence() {
    return sequence;
  }

  /** How large its files are together. */
  public long bytes() {
    return files.stream().mapToLong(SourceFile::bytes).sum();
  }

  /** Goes on to the next file, which is the first one at first; false: there are no more. */
  public boolean nextFile() {
    if (next == files.size()) {
      return false;
    }
    present = files.get(next++);
    left = present.bytes();
    crc.reset();
    return true;
  }

  /** The name of the present file as seen from the data directory, with slashes. */
  public String path() {
    return present.path();
  }

  /** How long the present file is. */
  public long fileBytes() {
    return present.bytes();
  }

  /**
   * Reads what comes next of the present file, as much as there is room for and as there is.
   *
   * @return whether there was anything left
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

  /** CRC32C of what was read of the present file. */
  public int crc() {
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    Closing.all(files.toArray(AutoCloseable[]::new));
  }
}
