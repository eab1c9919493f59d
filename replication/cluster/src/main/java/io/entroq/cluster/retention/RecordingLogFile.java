package io.entroq.cluster.retention;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The recording log of a member, which says where its snapshots are and which recording is its log.
 * The consensus module writes at its end and remembers what it has written; entries of old
 * snapshots it never looks at again. So these may be struck out while it runs, and the file may be
 * rewritten while it does not.
 */
public final class RecordingLogFile {
  private static final int ENTRY_BYTES = 64;
  private static final int SERVICE = 0;

  /** Type of an entry that counts no longer, as if it had never been. */
  private static final int INVALIDATED = -1;

  private final File directory;
  private final Path file;

  /**
   * @param directory of the consensus module
   */
  public RecordingLogFile(File directory) {
    this.directory = directory;
    this.file = directory.toPath().resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
  }

  /** Snapshots that are complete and may be used, oldest first. */
  List<RaftSnapshot> snapshots() {
    List<RaftSnapshot> snapshots = new ArrayList<>();
    if (!Files.exists(file)) {
      return snapshots;
    }
    try (RecordingLog log = new RecordingLog(directory, false)) {
      List<RecordingLog.Entry> entries = log.entries();
      for (int i = 1; i < entries.size(); i++) {
        RecordingLog.Entry module = entries.get(i);
        RecordingLog.Entry service = entries.get(i - 1);
        if (isSnapshot(module, ConsensusModule.Configuration.SERVICE_ID)
            && isSnapshot(service, SERVICE)
            && service.logPosition == module.logPosition) {
          snapshots.add(
              new RaftSnapshot(
                  module.logPosition,
                  module.timestamp,
                  service.recordingId,
                  module.recordingId,
                  service.entryIndex,
                  module.entryIndex));
        }
      }
    }
    return snapshots;
  }

  private static boolean isSnapshot(RecordingLog.Entry entry, int serviceId) {
    return entry.isValid
        && entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT
        && entry.serviceId == serviceId;
  }

  /** Whether there is a snapshot that may be used. */
  public boolean hasSnapshot() {
    return !snapshots().isEmpty();
  }

  /** The recording that is the log; empty before the first term. */
  OptionalLong logRecording() {
    if (!Files.exists(file)) {
      return OptionalLong.empty();
    }
    try (RecordingLog log = new RecordingLog(directory, false)) {
      RecordingLog.Entry term = log.findLastTerm();
      return term == null ? OptionalLong.empty() : OptionalLong.of(term.recordingId);
    }
  }

  /** Whether a recording is the log. */
  public boolean isLog(long recording) {
    OptionalLong log = logRecording();
    return log.isPresent() && log.getAsLong() == recording;
  }

  /** Whether a recording is one of the two that are the newest snapshot that may be used. */
  public boolean isOfNewestSnapshot(long recording) {
    List<RaftSnapshot> all = snapshots();
    return !all.isEmpty() && all.get(all.size() - 1).isIn(recording);
  }

  /** Strikes out snapshots before their recordings are deleted, and forces that. */
  void invalidate(List<RaftSnapshot> snapshots) {
    try (FileChannel channel = open()) {
      for (RaftSnapshot snapshot : snapshots) {
        // The module's first: what is left then is no snapshot, wherever this ends.
        invalidate(channel, snapshot.moduleEntry(), snapshot.moduleRecording());
        invalidate(channel, snapshot.serviceEntry(), snapshot.serviceRecording());
      }
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void invalidate(FileChannel channel, int entry, long recording) throws IOException {
    requireNames(channel, entry, recording);
    putType(channel, entry, INVALIDATED);
  }

  /**
   * Has snapshots not be used from a position on, though they stay where they are. Only while no
   * consensus module runs on the directory.
   *
   * @return how many there were
   */
  public int setAside(long position) {
    int count = 0;
    List<RaftSnapshot> all = snapshots();
    try (FileChannel channel = open()) {
      for (RaftSnapshot snapshot : all) {
        if (snapshot.position() >= position) {
          int type = RecordingLog.ENTRY_TYPE_SNAPSHOT | RecordingLog.ENTRY_TYPE_INVALID_FLAG;
          putType(channel, snapshot.moduleEntry(), type);
          putType(channel, snapshot.serviceEntry(), type);
          count++;
        }
      }
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
    return count;
  }

  /**
   * Has the newest snapshot not be used, if there is another one. Only while no consensus module
   * runs on the directory.
   *
   * @return whether there is
   */
  public boolean setNewestAside() {
    List<RaftSnapshot> all = snapshots();
    return all.size() > 1 && setAside(all.get(all.size() - 1).position()) > 0;
  }

  /**
   * Leaves out what is struck out. Only while no consensus module runs, which takes the number of
   * an entry in the file for its number among those that count.
   */
  public void compact() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      byte[] all = Files.readAllBytes(file);
      ByteBuffer kept = ByteBuffer.allocate(all.length).order(LITTLE_ENDIAN);
      ByteBuffer entries = ByteBuffer.wrap(all).order(LITTLE_ENDIAN);
      int entry = 0;
      for (; entry + ENTRY_BYTES <= all.length; entry += ENTRY_BYTES) {
        if (entries.getInt(entry + RecordingLog.ENTRY_TYPE_OFFSET) != INVALIDATED) {
          kept.put(all, entry, ENTRY_BYTES);
        }
      }
      if (entry == all.length && kept.position() < all.length) {
        replace(kept.flip());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void replace(ByteBuffer bytes) throws IOException {
    Path next = file.resolveSibling(RecordingLog.RECORDING_LOG_FILE_NAME + ".new");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel parent = FileChannel.open(directory.toPath(), StandardOpenOption.READ)) {
      parent.force(true);
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private void requireNames(FileChannel channel, int entry, long recording) throws IOException {
    ByteBuffer named = ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN);
    long at = (long) entry * ENTRY_BYTES + RecordingLog.RECORDING_ID_OFFSET;
    if (channel.read(named, at) != Long.BYTES || named.getLong(0) != recording) {
      throw new IllegalStateException(
          "entry %d of %s does not name recording %d".formatted(entry, file, recording));
    }
  }

  private static void putType(FileChannel channel, int entry, int type) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(0, type);
    channel.write(bytes, (long) entry * ENTRY_BYTES + RecordingLog.ENTRY_TYPE_OFFSET);
  }

  private UncheckedIOException failed(IOException cause) {
    return new UncheckedIOException("the recording log " + file, cause);
  }
}
