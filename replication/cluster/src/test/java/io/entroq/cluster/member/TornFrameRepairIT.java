package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.aeron.FrameChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member starts despite an incomplete last frame. */
class TornFrameRepairIT {
  private static final String QUEUE = "inbox";
  private static final String LOG = "archive/0-0.rec";
  private static final int TASKS = 20;
  private static final int PAGE_BYTES = 4_096;
  private static final int HEADER_BYTES = 32;
  private static final int SESSION_ID_OFFSET = 12;

  @TempDir Path directory;

  @Test
  void shouldStartWithoutTheFrameThatWasCutShort() throws Exception {
    Path killed = directory.resolve("killed");
    try (LoneMember member = new LoneMember(directory.resolve("alive")).bootstrap()) {
      member.awaitLeader();
      for (int i = 0; i < TASKS; i++) {
        member.member().queue().modify(Modification.insert(QUEUE, "x".repeat(1_000))).orThrow();
      }
      copy(member.directory(), killed);
    }
    cutShort(killed.resolve(LOG));
    try (LoneMember member = new LoneMember(killed).start()) {
      member.awaitLeader();
      long found = member.member().queue().queues(QueueQuery.all()).getOrDefault(QUEUE, 0L);
      assertThat(found).isBetween(1L, TASKS - 1L);
      member.member().queue().modify(Modification.insert(QUEUE, "more")).orThrow();
      assertThat(member.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, found + 1);
    }
  }

  /** A copy of the files, as after a kill at this moment. */
  private static void copy(Path alive, Path killed) throws IOException {
    Files.createDirectories(killed);
    Files.copy(alive.resolve(MemberFile.NAME), killed.resolve(MemberFile.NAME));
    for (String part : new String[] {"cluster", "archive"}) {
      Files.createDirectories(killed.resolve(part));
      try (Stream<Path> files = Files.list(alive.resolve(part))) {
        for (Path file : files.toList()) {
          Files.copy(file, killed.resolve(part).resolve(file.getFileName()));
        }
      }
    }
  }

  /** Keeps only the first page of the last frame that spans two. */
  private static void cutShort(Path log) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    ByteBuffer frames = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
    direct.putBytes(0, bytes);
    FrameChecksum checksum = new FrameChecksum();
    int lastPage = 0;
    int length;
    for (int at = 0; (length = frames.getInt(at)) > 0; at += length) {
      length = BitUtil.align(length, HEADER_BYTES);
      // This marks complete frames for the archive.
      assertThat(frames.getInt(at + SESSION_ID_OFFSET))
          .isEqualTo(
              checksum.compute(
                  BufferUtil.address(direct.byteBuffer()),
                  at + HEADER_BYTES,
                  length - HEADER_BYTES));
      int page = (at + length - 1) / PAGE_BYTES * PAGE_BYTES;
      lastPage = page > at ? page : lastPage;
    }
    assertThat(lastPage).isPositive();
    Arrays.fill(bytes, lastPage, bytes.length, (byte) 0);
    Files.write(log, bytes);
  }
}
