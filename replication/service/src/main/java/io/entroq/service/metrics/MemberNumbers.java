package io.entroq.service.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorFigures;
import io.entroq.cluster.retention.RetentionFigures;
import io.entroq.engine.figures.ClockFigures;
import io.entroq.engine.figures.EngineFigures;
import io.entroq.engine.figures.ProposalFigures;
import java.util.Optional;

/** Where the numbers of a member of a cluster come from. Any thread, also when it has ended. */
public interface MemberNumbers {
  /** What it is at; empty when it has ended. */
  Optional<MemberStatus> status();

  /** Its snapshots and its log. */
  RetentionFigures retention();

  /** The mirror of its log. */
  MirrorFigures mirror();

  /** Its engine; empty until it has a state. */
  Optional<EngineFigures> engine();

  /** What its callers wait for. */
  ProposalFigures proposals();

  /** Its clocks. */
  ClockFigures clock();

  /** What can still be written to its disk, in bytes; asks the disk. NaN if that does not say. */
  double diskUsableBytes();
}
