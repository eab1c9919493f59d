package io.entroq.cluster.member;

import io.aeron.CncFileDescriptor;
import io.aeron.status.HeartbeatTimestamp;
import io.entroq.cluster.aeron.MappedCounters;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.status.CountersReader;

/** The clients of a member's media driver, as its files show them. */
final class DriverClients {
  private static final int LOOKS = 2;

  private final Path directory;
  private final CountersReader counters;

  DriverClients(ClusterMember member) {
    directory = member.config().driverDirectory();
    counters = MappedCounters.of(directory);
  }

  /** Makes the driver look as if it had stalled, until each client has looked at it. */
  void showStalled(Duration age) {
    MappedByteBuffer file =
        IoUtil.mapExistingFile(
            new File(directory.toFile(), CncFileDescriptor.CNC_FILE), "the driver's commands");
    DirectBuffer head = CncFileDescriptor.createMetaDataBuffer(file);
    RingBuffer commands =
        new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(file, head));
    long pastMs = commands.consumerHeartbeatTime() - age.toMillis();
    // A client may have begun its first look before.
    for (int i = 0; i < LOOKS; i++) {
      Map<Integer, Long> before = heartbeats();
      Await.until(
          "each client has looked",
          () -> {
            commands.consumerHeartbeatTime(pastMs);
            Map<Integer, Long> now = heartbeats();
            return before.entrySet().stream()
                .allMatch(client -> now.getOrDefault(client.getKey(), 0L) > client.getValue());
          });
    }
    IoUtil.unmap(file);
  }

  /** Each client's last heartbeat, by counter. */
  Map<Integer, Long> heartbeats() {
    Map<Integer, Long> found = new TreeMap<>();
    counters.forEach(
        (counterId, typeId, key, label) -> {
          if (typeId == HeartbeatTimestamp.HEARTBEAT_TYPE_ID) {
            found.put(counterId, counters.getCounterValue(counterId));
          }
        });
    return found;
  }

  /**
   * Makes a client find that the driver has timed it out, as after a stall.
   *
   * @return false if it has not been there for long enough to have its name in the file
   */
  boolean giveUp(String name) {
    AtomicBoolean isFound = new AtomicBoolean();
    counters.forEach(
        (counterId, typeId, key, label) -> {
          if (typeId == HeartbeatTimestamp.HEARTBEAT_TYPE_ID && label.contains("name=" + name)) {
            counters
                .metaDataBuffer()
                .putIntVolatile(
                    CountersReader.metaDataOffset(counterId), CountersReader.RECORD_RECLAIMED);
            isFound.set(true);
          }
        });
    return isFound.get();
  }
}
