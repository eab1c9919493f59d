package io.entroq.service.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.time.ClockStats;
import java.util.Optional;

/** Supplies the statistics of a cluster member. Any thread, even after the member has ended. */
public interface MemberNumbers {
  /** Empty after the member has ended. */
  Optional<MemberStatus> status();

  RetentionStats retention();

  MirrorStats mirror();

  /** Empty until the engine has a state. */
  Optional<EngineStats> engine();

  ProposalStats proposals();

  ClockStats clock();

  /** How far the leader's clock is ahead of this member's. */
  long leaderAheadMs();

  /** The free bytes of the disk, read at each call; NaN if that fails. */
  double diskUsableBytes();
}
