package io.entroq.cluster.member;

import io.aeron.CncFileDescriptor;
import io.aeron.status.HeartbeatTimestamp;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/** The clients of a member's media driver, as its files show them. */
final class DriverClients {
  private final UnsafeBuffer metaData;
  private final CountersReader counters;

  DriverClients(ClusterMember member) {
    File file = new File(member.config().driverDirectory().toFile(), CncFileDescriptor.CNC_FILE);
    MappedByteBuffer mapped = IoUtil.mapExistingFile(file, "the driver's counters");
    DirectBuffer head = CncFileDescriptor.createMetaDataBuffer(mapped);
    metaData = CncFileDescriptor.createCountersMetaDataBuffer(mapped, head);
    counters =
        new CountersReader(metaData, CncFileDescriptor.createCountersValuesBuffer(mapped, head));
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
            metaData.putIntVolatile(
                CountersReader.metaDataOffset(counterId), CountersReader.RECORD_RECLAIMED);
            isFound.set(true);
          }
        });
    return isFound.get();
  }
}
