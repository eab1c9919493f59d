package io.entroq.cluster.member;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.aeron.FrameChecksum;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Damages a segment file of a recording. For one thread. */
final class RecordedFrames {
  private static final int HEADER_BYTES = 32;
  private static final int SESSION_ID_OFFSET = 12;

  private final Path file;
  private final UnsafeBuffer bytes;

  RecordedFrames(Path file) throws IOException {
    this.file = file;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      bytes = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
    }
  }

  /** First segments of all recordings of a member, oldest first. */
  static List<Path> of(Path member) throws IOException {
    try (Stream<Path> files = Files.list(member.resolve("archive"))) {
      return files
          .filter(file -> file.toString().endsWith("-0.rec"))
          .sorted(Comparator.comparingLong(RecordedFrames::recording))
          .toList();
    }
  }

  private static long recording(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('-')));
  }

  /** The offset of a text in the file; the text must exist. */
  int indexOf(String text) {
    String all = bytes.getStringWithoutLengthAscii(0, end());
    assertThat(all).as("what is in %s", file).contains(text);
    return all.indexOf(text);
  }

  void put(int at, int value) {
    bytes.putByte(at, (byte) value);
  }

  void flipBit(int at, int bit) {
    put(at, bytes.getByte(at) ^ 1 << bit);
  }

  /** Flips a bit in the middle of the first frame's payload. */
  void flipBitOfFirst() {
    flipBit((HEADER_BYTES + bytes.getInt(0, LITTLE_ENDIAN)) / 2, 3);
  }

  /** Recomputes all checksums. */
  void restamp() {
    FrameChecksum checksum = new FrameChecksum();
    for (int at = 0; lengthAt(at) > 0; at += lengthAt(at)) {
      int sum =
          checksum.compute(bytes.addressOffset(), at + HEADER_BYTES, lengthAt(at) - HEADER_BYTES);
      bytes.putInt(at + SESSION_ID_OFFSET, sum, LITTLE_ENDIAN);
    }
  }

  private int end() {
    int end = 0;
    while (lengthAt(end) > 0) {
      end += lengthAt(end);
    }
    return end;
  }

  /** Of the frame with all that is behind it. */
  private int lengthAt(int at) {
    return BitUtil.align(bytes.getInt(at, LITTLE_ENDIAN), HEADER_BYTES);
  }
}
