package io.entroq.service.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.gateway.ProposalStats;
import java.util.List;
import java.util.Locale;

/** Registers meters of a cluster member. */
final class MemberMeters {
  private static final List<String> ROLES = List.of("leader", "follower", "candidate");

  private MemberMeters() {}

  static void registerStatus(Meters<MemberStatus> meters) {
    for (String role : ROLES) {
      meters.gauge(
          "entroq.member.role",
          "1 for the role that the member has in its cluster.",
          f -> f.role().toLowerCase(Locale.ROOT).equals(role) ? 1 : 0,
          "role",
          role);
    }
    meters.gauge(
        "entroq.member.in.touch",
        "1 while the member has a leader or is one.",
        f -> f.hasLeader() && f.leaderId() >= 0 ? 1 : 0);
    meters.gauge(
        "entroq.member.leader",
        "The member that leads, as far as this one knows; -1 if there is none.",
        MemberStatus::leaderId);
    meters.gauge("entroq.member.term", "The leadership term, from 0.", MemberStatus::termId);
    meters.gauge(
        "entroq.member.commit.position.bytes",
        "How much of the log a majority has, as far as the member knows.",
        MemberStatus::commitPosition);
    meters.gauge(
        "entroq.member.applied.position.bytes",
        "How much of the log the member has applied.",
        MemberStatus::appliedPosition);
    meters.gauge(
        "entroq.member.lag.bytes",
        "How much of what a majority has the member has not applied.",
        MemberStatus::lagBytes);
    meters.gauge(
        "entroq.member.applied.sequence",
        "Sequence of the newest record that the member has applied.",
        MemberStatus::appliedSequence);
    meters.counter(
        "entroq.member.snapshots",
        "Snapshots that the cluster has taken while the member ran.",
        MemberStatus::snapshots);
  }

  static void registerRetention(Meters<RetentionStats> meters) {
    meters.counter(
        "entroq.member.snapshots.failed",
        "Snapshots that the member could not take.",
        f -> f.snapshots().failed());
    meters.gauge(
        "entroq.member.snapshot.bytes", "Size of the newest snapshot.", f -> f.snapshots().bytes());
    meters.gauge(
        "entroq.member.snapshot.pause.seconds",
        "How long the last snapshot held up commands.",
        f -> f.snapshots().pauseNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.member.snapshot.pause.longest.seconds",
        "The longest time that a snapshot held up commands.",
        f -> f.snapshots().pauseMaxNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.member.snapshot.age.seconds",
        "Age of the newest snapshot; 0 if there is none.",
        f -> f.snapshotAgeMs() / Meters.MS_PER_SECOND);
    meters.gauge(
        "entroq.member.log.behind.snapshot.bytes",
        "Log since the newest snapshot, which a restart must apply.",
        RetentionStats::logBytesSince);
    meters.gauge(
        "entroq.member.log.bytes", "Log on the member's disk.", RetentionStats::logBytesHeld);
    meters.counter(
        "entroq.member.log.freed.bytes",
        "Log that the member has deleted because nobody needs it.",
        RetentionStats::logBytesFreed);
    meters.gauge(
        "entroq.member.others.behind",
        "Members for whom no log is kept any more: they must be replaced.",
        f -> f.membersBehind().size());
    meters.counter(
        "entroq.member.disagreements",
        "Snapshots at which members were found to have different states.",
        RetentionStats::divergences);
  }

  static void registerMirror(Meters<MirrorStats> meters) {
    for (MirrorState state : MirrorState.values()) {
      meters.gauge(
          "entroq.member.mirror.state",
          "1 for the state that the mirror of the log is in.",
          f -> f.state() == state ? 1 : 0,
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    meters.gauge(
        "entroq.member.mirror.lag.bytes",
        "Bytes of applied records that are not in the mirror yet.",
        MirrorStats::lagBytes);
    meters.gauge(
        "entroq.member.mirror.lag.records",
        "Applied records that are not in the mirror yet.",
        MirrorStats::lagRecords);
    meters.counter(
        "entroq.member.mirror.dropouts",
        "Times that the mirror could not keep up.",
        MirrorStats::dropouts);
    meters.counter(
        "entroq.member.mirror.seeds",
        "Times that the mirror was started afresh.",
        MirrorStats::seeds);
  }

  static void registerProposals(Meters<ProposalStats> meters) {
    meters.gauge(
        "entroq.member.requests.in.flight",
        "Requests in progress in the member, except waiting claims.",
        ProposalStats::requestsInFlight);
    meters.gauge(
        "entroq.member.proposals.unsent",
        "Commands that the leader has not taken yet.",
        ProposalStats::unsent);
    meters.gauge(
        "entroq.member.proposals.unanswered",
        "Commands that the leader has taken and the log has not returned yet.",
        ProposalStats::unanswered);
    meters.gauge(
        "entroq.member.proposal.oldest.seconds",
        "How long the oldest of these commands has been waiting; 0 if there is none.",
        f -> f.oldestNs() / Meters.NS_PER_SECOND);
  }
}
