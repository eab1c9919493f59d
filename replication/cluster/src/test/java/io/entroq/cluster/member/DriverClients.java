package io.entroq.cluster.member;

import io.aeron.status.HeartbeatTimestamp;
import io.entroq.cluster.aeron.MappedCounters;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.status.CountersReader;

/** The clients of a member's media driver, as its files show them. */
final class DriverClients {
  private final CountersReader counters;

  DriverClients(ClusterMember member) {
    counters = MappedCounters.of(member.config().driverDirectory());
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
