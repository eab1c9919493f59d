package io.entroq.system.scenario;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A frame that a member has recorded, with something in it.
 *
 * @param at where what it holds begins, in bytes of the file
 * @param length of what it holds
 */
record Frame(Path file, int at, int length) {
  /** The half of a snapshot that the consensus module has written. */
  static final int OF_MODULE = ConsensusModule.Configuration.SERVICE_ID;

  /** The half of a snapshot that is the state. */
  static final int OF_STATE = 0;

  private static final int HEADER_BYTES = 32;
  private static final int TYPE_OFFSET = 6;
  private static final int DATA = 1;

  /** Those of the log that a member that is down reads when it starts. */
  static List<Frame> ofLog(Path member) throws IOException {
    try (RecordingLog log = new RecordingLog(member.resolve("cluster").toFile(), false)) {
      RecordingLog.Entry newest = log.getLatestSnapshot(OF_MODULE);
      return of(member, log.findLastTerm().recordingId, newest == null ? 0 : newest.logPosition);
    }
  }

  /** Those of one half of the newest snapshot of a member. */
  static List<Frame> ofSnapshot(Path member, int half) throws IOException {
    try (RecordingLog log = new RecordingLog(member.resolve("cluster").toFile(), false)) {
      return of(member, log.getLatestSnapshot(half).recordingId, 0);
    }
  }

  /** All but the last, which an archive may take for one that was not written whole. */
  private static List<Frame> of(Path member, long recording, long position) throws IOException {
    List<Frame> frames = new ArrayList<>();
    for (Path file : files(member, recording)) {
      addAll(file, position - base(file), frames);
    }
    return frames.isEmpty() ? frames : frames.subList(0, frames.size() - 1);
  }

  private static List<Path> files(Path member, long recording) throws IOException {
    try (Stream<Path> files = Files.list(member.resolve("archive"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(recording + "-\\d+\\.rec"))
          .sorted(Comparator.comparingLong(Frame::base))
          .toList();
    }
  }

  /** Where in the recording a file begins, which stands in its name. */
  private static long base(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
  }

  /**
   * @param from where a frame begins in the file; it may be behind its end
   */
  private static void addAll(Path file, long from, List<Frame> frames) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer bytes =
          channel
              .map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
              .order(ByteOrder.LITTLE_ENDIAN);
      long at = Math.max(0, from);
      while (at < bytes.capacity() && bytes.getInt((int) at) > 0) {
        int begins = (int) at;
        int length = bytes.getInt(begins);
        if (bytes.getShort(begins + TYPE_OFFSET) == DATA && length > HEADER_BYTES) {
          frames.add(new Frame(file, begins + HEADER_BYTES, length - HEADER_BYTES));
        }
        // The next one begins at a whole multiple of the length of a header.
        at += ((long) length + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
      }
    }
  }
}
