package io.entroq.service.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The status of a cluster member. NaN after it has ended. */
final class MemberMeters {
  private static final List<String> ROLES = List.of("leader", "follower", "candidate");

  private final Meters<Optional<MemberStatus>> meters;

  MemberMeters(MeterRegistry registry, Supplier<Optional<MemberStatus>> status) {
    meters = new Meters<>(registry, status);
  }

  void register() {
    for (String role : ROLES) {
      meters.gauge(
          "entroq.member.role",
          "1 at the role that the member has in its cluster.",
          Meters.known(now -> now.role().toLowerCase(Locale.ROOT).equals(role) ? 1 : 0),
          "role",
          role);
    }
    gauge(
        "entroq.member.in.touch",
        "1 while the member has a leader or is one.",
        s -> s.isInTouch() && s.leaderId() >= 0 ? 1 : 0);
    gauge(
        "entroq.member.leader",
        "Which member leads, as far as this one knows; -1: none.",
        MemberStatus::leaderId);
    gauge("entroq.member.term", "The term of leadership, from 0.", MemberStatus::termId);
    gauge(
        "entroq.member.commit.position.bytes",
        "How much of the log a majority has, as far as the member knows.",
        MemberStatus::commitPosition);
    gauge(
        "entroq.member.applied.position.bytes",
        "How much of the log the member has applied.",
        MemberStatus::appliedPosition);
    gauge(
        "entroq.member.lag.bytes",
        "How much of what a majority has the member has not applied.",
        MemberStatus::lagBytes);
    gauge(
        "entroq.member.applied.sequence",
        "Sequence of the newest record that the member has applied.",
        MemberStatus::appliedSequence);
    meters.counter(
        "entroq.member.snapshots",
        "Snapshots that the cluster has taken while the member ran.",
        Meters.known(MemberStatus::snapshots));
  }

  private void gauge(String name, String description, ToDoubleFunction<MemberStatus> figure) {
    meters.gauge(name, description, Meters.known(figure));
  }
}
