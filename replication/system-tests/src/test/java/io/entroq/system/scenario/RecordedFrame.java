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
 * A frame with data in a recording of a member.
 *
 * @param at the offset of its data in the file
 * @param length of its data
 */
record RecordedFrame(Path file, int at, int length) {
  /** The half of a snapshot that the consensus module writes. */
  static final int OF_MODULE = ConsensusModule.Configuration.SERVICE_ID;

  /** The half of a snapshot that contains the state. */
  static final int OF_STATE = 0;

  private static final int HEADER_BYTES = 32;
  private static final int TYPE_OFFSET = 6;
  private static final int DATA = 1;

  /** The frames of the log that a stopped member will read at its start. */
  static List<RecordedFrame> ofLog(Path member) throws IOException {
    try (RecordingLog log = new RecordingLog(member.resolve("cluster").toFile(), false)) {
      RecordingLog.Entry newest = log.getLatestSnapshot(OF_MODULE);
      return of(member, log.findLastTerm().recordingId, newest == null ? 0 : newest.logPosition);
    }
  }

  /** The frames of one half of the newest snapshot. */
  static List<RecordedFrame> ofSnapshot(Path member, int half) throws IOException {
    try (RecordingLog log = new RecordingLog(member.resolve("cluster").toFile(), false)) {
      return of(member, log.getLatestSnapshot(half).recordingId, 0);
    }
  }

  /** The position of the newest snapshot in the log. */
  static long positionOfSnapshot(Path member) throws IOException {
    try (RecordingLog log = new RecordingLog(member.resolve("cluster").toFile(), false)) {
      return log.getLatestSnapshot(OF_STATE).logPosition;
    }
  }

  /** Without the last, which an archive may consider incomplete. */
  private static List<RecordedFrame> of(Path member, long recording, long position)
      throws IOException {
    List<RecordedFrame> frames = new ArrayList<>();
    for (Path file : files(member, recording)) {
      addAll(file, position - base(file), frames);
    }
    return frames.isEmpty() ? frames : frames.subList(0, frames.size() - 1);
  }

  private static List<Path> files(Path member, long recording) throws IOException {
    try (Stream<Path> files = Files.list(member.resolve("archive"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(recording + "-\\d+\\.rec"))
          .sorted(Comparator.comparingLong(RecordedFrame::base))
          .toList();
    }
  }

  /** The start of a file in the recording, from its name. */
  private static long base(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
  }

  /**
   * @param from the start of a frame; may be beyond the file
   */
  private static void addAll(Path file, long from, List<RecordedFrame> frames) throws IOException {
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
          frames.add(new RecordedFrame(file, begins + HEADER_BYTES, length - HEADER_BYTES));
        }
        // The next one begins at a whole multiple of the length of a header.
        at += ((long) length + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
      }
    }
  }
}
