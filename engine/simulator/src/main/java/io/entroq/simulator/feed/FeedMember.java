package io.entroq.simulator.feed;

import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.disk.SimulatedDisk;
import java.util.UUID;

/** A life of a member of a cluster, whose feed is read. */
public interface FeedMember {
  EffectFeed feed();

  StateMachine machine();

  /** The last step that a committed entry of the log has led to here. */
  long committed();

  /** Null before the log has begun. */
  UUID logId();

  /** Has the member's snapshots. */
  SimulatedDisk disk();

  /** Where on the disk they are. */
  String directory();

  /** Whether snapshots on the disk may be damaged. */
  boolean isDamaged();
}
