package io.entroq.service.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.time.ClockStats;
import java.util.Optional;

/** Supplies the figures of a cluster member. Any thread, also after the member has ended. */
public interface MemberNumbers {
  /** Its status; empty after it has ended. */
  Optional<MemberStatus> status();

  /** Its snapshots and its log. */
  RetentionStats retention();

  /** The mirror of its log. */
  MirrorStats mirror();

  /** Its engine; empty until it has a state. */
  Optional<EngineStats> engine();

  /** The proposals that its callers wait for. */
  ProposalStats proposals();

  /** Its clocks. */
  ClockStats clock();

  /** The usable bytes of its disk. Asks the disk; NaN if that fails. */
  double diskUsableBytes();
}
