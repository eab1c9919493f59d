package io.entroq.cluster.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which part of a recording is deleted, and what can still be read; with a real archive. */
class RaftArchiveIT {
  private static final int SEGMENT_BYTES = 64 << 10;
  private static final int SEGMENTS = 6;
  private static final int MANY = 100;
  private static final int MESSAGE_BYTES = 992;
  private static final String IPC = "aeron:ipc?term-length=64k";
  private static final int LOG = ConsensusModule.Configuration.logStreamId();
  private static final int REPLAY = LOG + 1_000;

  @TempDir Path directory;

  private ArchivingMediaDriver driver;
  private AeronArchive client;
  private RaftArchive archive;

  @BeforeEach
  void record() {
    String aeron = directory.resolve("driver").toString();
    driver =
        ArchivingMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(aeron)
                .dirDeleteOnStart(true)
                .threadingMode(ThreadingMode.SHARED)
                .spiesSimulateConnection(true)
                .termBufferSparseFile(true),
            new Archive.Context()
                .aeronDirectoryName(aeron)
                .archiveDir(directory.resolve("archive").toFile())
                .controlChannelEnabled(false)
                .archiveClientContext(
                    new AeronArchive.Context()
                        .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"))
                .localControlChannel(IPC)
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .recordingEventsEnabled(false)
                .segmentFileLength(SEGMENT_BYTES)
                .threadingMode(ArchiveThreadingMode.SHARED));
    client = AeronArchive.connect(context());
    archive = new RaftArchive(context());
    ExclusivePublication log = client.addRecordedExclusivePublication(IPC, LOG);
    UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
    while (log.position() < SEGMENTS * SEGMENT_BYTES) {
      rest(log.offer(message) < 0);
    }
    while (archive.endOf(recording()) < log.position()) {
      rest(true);
    }
  }

  private AeronArchive.Context context() {
    return new AeronArchive.Context()
        .aeronDirectoryName(directory.resolve("driver").toString())
        .controlRequestChannel(IPC)
        .controlResponseChannel(IPC);
  }

  private static void rest(boolean isDue) {
    if (isDue) {
      assertThat(Thread.interrupted()).as("waited too long").isFalse();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @AfterEach
  void close() {
    archive.close();
    client.close();
    driver.close();
  }

  @Test
  void shouldKeepTheSegmentWithTheNeededPosition() {
    long[] needed = {
      SEGMENT_BYTES - 32,
      SEGMENT_BYTES,
      2 * SEGMENT_BYTES - 1_024,
      2 * SEGMENT_BYTES + 1_024,
      4 * SEGMENT_BYTES
    };
    long[] begins = {0, SEGMENT_BYTES, SEGMENT_BYTES, 2 * SEGMENT_BYTES, 4 * SEGMENT_BYTES};
    for (int i = 0; i < needed.length; i++) {
      assertThat(archive.trim(recording(), needed[i], MANY)).isEqualTo(begins[i]);
      assertThat(recording().startPosition()).isEqualTo(begins[i]);
      if (needed[i] % 1_024 == 0) {
        assertThat(readFrom(needed[i])).as("readable from %d", needed[i]).isTrue();
      }
    }
  }

  @Test
  void shouldDeleteOneBatchAtATime() {
    long needed = 5 * SEGMENT_BYTES;
    assertThat(archive.trim(recording(), needed, 2)).isEqualTo(2 * SEGMENT_BYTES);
    assertThat(archive.trim(recording(), needed, 2)).isEqualTo(4 * SEGMENT_BYTES);
    assertThat(archive.trim(recording(), needed, 2)).isEqualTo(needed);
    assertThat(archive.trim(recording(), needed, 2)).isEqualTo(needed);
    assertThat(recording().startPosition()).isEqualTo(needed);
  }

  private RaftArchive.Recording recording() {
    return archive.log().orElseThrow();
  }

  private boolean readFrom(long position) {
    try (Subscription replay =
        client.replay(recording().id(), position, MESSAGE_BYTES + 32, IPC, REPLAY)) {
      int read = 0;
      while (read == 0) {
        Image image = replay.imageCount() == 0 ? null : replay.imageAtIndex(0);
        if (image != null && image.isEndOfStream()) {
          break;
        }
        read = replay.poll((buffer, offset, length, header) -> {}, 1);
        rest(read == 0);
      }
      return read > 0;
    }
  }
}
