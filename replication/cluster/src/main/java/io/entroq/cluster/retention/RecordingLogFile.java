package io.entroq.cluster.retention;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.SmallFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * A member's recording log: the file that lists its snapshots and the recording of its log. The
 * consensus module appends to it and keeps its own view in memory; it never reads entries of old
 * snapshots again. So they may be invalidated while it runs, and the file may be rewritten while it
 * does not.
 */
public final class RecordingLogFile {
  private static final int ENTRY_BYTES = 64;
  private static final int SERVICE = 0;

  /** Type of an entry that is ignored. */
  private static final int INVALIDATED = -1;

  private static final String SEGMENT_SUFFIX = ".rec";
  private final File directory;
  private final Path file;

  /**
   * @param directory the consensus module's
   */
  public RecordingLogFile(File directory) {
    this.directory = directory;
    this.file = directory.toPath().resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
  }

  /** The complete and usable snapshots, oldest first. */
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

  /** The position of the newest usable snapshot. */
  public OptionalLong newestSnapshot() {
    return snapshots().stream().mapToLong(RaftSnapshot::position).max();
  }

  /** Whether there is a usable snapshot. */
  public boolean hasSnapshot() {
    return !snapshots().isEmpty();
  }

  /**
   * Whether a member can restore its state: it has a usable snapshot, or the log from its start.
   * The consensus module must not be running.
   *
   * @param archive directory of the recordings
   */
  public boolean isRecoverable(File archive) {
    OptionalLong log = logRecording();
    return log.isEmpty() || hasSnapshot() || startPosition(archive, log.getAsLong()) == 0;
  }

  /**
   * Whether the recorded log ends at a position that it has reached.
   *
   * @param archive directory of the recordings
   */
  public boolean endsAt(File archive, long position) throws IOException {
    String prefix = logRecording().orElseThrow() + "-";
    long last = segments(archive, prefix).max().orElse(0);
    return last <= position && isEmptyAt(archive, prefix + last + SEGMENT_SUFFIX, position - last);
  }

  /** Whether a segment has no frame at an offset. */
  private static boolean isEmptyAt(File archive, String segment, long offset) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN);
    try (FileChannel channel =
        FileChannel.open(archive.toPath().resolve(segment), StandardOpenOption.READ)) {
      return channel.read(length, offset) < Integer.BYTES || length.getInt(0) == 0;
    }
  }

  private static long startOf(String segment, String prefix) {
    return Long.parseLong(
        segment.substring(prefix.length(), segment.length() - SEGMENT_SUFFIX.length()));
  }

  private static long startPosition(File archive, long recording) {
    return segments(archive, recording + "-").min().orElse(0);
  }

  /** Where the segments of a recording begin. */
  private static LongStream segments(File archive, String prefix) {
    String[] names =
        archive.list((in, name) -> name.startsWith(prefix) && name.endsWith(SEGMENT_SUFFIX));
    return Arrays.stream(names == null ? new String[0] : names)
        .mapToLong(name -> startOf(name, prefix));
  }

  /** The recording of the log; empty before the first term. */
  OptionalLong logRecording() {
    return ofLastTerm(term -> term.recordingId);
  }

  /** The last term in which the member has had a leader; empty before the first one. */
  public OptionalLong lastTerm() {
    return ofLastTerm(term -> term.leadershipTermId);
  }

  private OptionalLong ofLastTerm(ToLongFunction<RecordingLog.Entry> number) {
    if (!Files.exists(file)) {
      return OptionalLong.empty();
    }
    try (RecordingLog log = new RecordingLog(directory, false)) {
      RecordingLog.Entry term = log.findLastTerm();
      return term == null ? OptionalLong.empty() : OptionalLong.of(number.applyAsLong(term));
    }
  }

  /** Whether a recording is that of the log. */
  public boolean isLog(long recording) {
    OptionalLong log = logRecording();
    return log.isPresent() && log.getAsLong() == recording;
  }

  /** Whether a recording belongs to the newest usable snapshot. */
  public boolean isOfNewestSnapshot(long recording) {
    List<RaftSnapshot> all = snapshots();
    return !all.isEmpty() && all.get(all.size() - 1).isIn(recording);
  }

  /** Invalidates snapshots before their recordings are deleted, and forces the file. */
  void invalidate(List<RaftSnapshot> snapshots) {
    try (FileChannel channel = open()) {
      for (RaftSnapshot snapshot : snapshots) {
        // The module's entry first: a service entry alone is not a snapshot if this is interrupted.
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
   * Marks the snapshots from a position on as unusable, without deleting them. The consensus module
   * must not be running.
   *
   * @return number of snapshots marked
   */
  public int setAside(long position) {
    List<RaftSnapshot> later =
        snapshots().stream().filter(each -> each.position() >= position).toList();
    setAside(later);
    return later.size();
  }

  private void setAside(List<RaftSnapshot> bad) {
    if (bad.isEmpty()) {
      return;
    }
    int type = RecordingLog.ENTRY_TYPE_SNAPSHOT | RecordingLog.ENTRY_TYPE_INVALID_FLAG;
    try (FileChannel channel = open()) {
      for (RaftSnapshot snapshot : bad) {
        putType(channel, snapshot.moduleEntry(), type);
        putType(channel, snapshot.serviceEntry(), type);
      }
      channel.force(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Marks the snapshots that cannot be started from as unusable. The consensus module must not be
   * running.
   *
   * @param images of the same member
   * @return the positions of these snapshots
   */
  public List<Long> setIncompleteAside(ImageStore images) {
    List<RaftSnapshot> incomplete =
        snapshots().stream().filter(each -> !images.isComplete(each.position())).toList();
    setAside(incomplete);
    return incomplete.stream().map(RaftSnapshot::position).toList();
  }

  /**
   * Marks the newest snapshot as unusable if there is another one. The consensus module must not be
   * running.
   *
   * @return its position; empty if it was not marked
   */
  public OptionalLong setNewestAside() {
    List<RaftSnapshot> all = snapshots();
    if (all.size() < 2) {
      return OptionalLong.empty();
    }
    long position = all.get(all.size() - 1).position();
    setAside(position);
    return OptionalLong.of(position);
  }

  /**
   * Removes invalidated entries from the file. The consensus module must not be running: it
   * identifies entries by their index without invalidated ones.
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
        byte[] content = Arrays.copyOf(kept.array(), kept.position());
        SmallFile.replace(
            directory.toPath(), RecordingLog.RECORDING_LOG_FILE_NAME, content, Forcer.DISK);
      }
    } catch (IOException e) {
      throw failed(e);
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
          "entry %d of %s is not for recording %d".formatted(entry, file, recording));
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
