package io.entroq.server.metrics;

import io.entroq.cluster.member.MemberStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What a member of a cluster is at, as meters. When it has ended they have no number. */
final class MemberMeters {
  private static final List<String> ROLES = List.of("leader", "follower", "candidate");

  private final MeterRegistry registry;
  private final Supplier<Optional<MemberStatus>> status;

  MemberMeters(MeterRegistry registry, Supplier<Optional<MemberStatus>> status) {
    this.registry = registry;
    this.status = status;
  }

  void register() {
    for (String role : ROLES) {
      Gauge.builder(
              "entroq.member.role",
              status,
              s -> value(s, now -> now.role().toLowerCase(Locale.ROOT).equals(role) ? 1 : 0))
          .description("1 at the role that the member has in its cluster.")
          .tag("role", role)
          .register(registry);
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
    FunctionCounter.builder(
            "entroq.member.snapshots", status, s -> value(s, MemberStatus::snapshots))
        .description("Snapshots that the cluster has taken while the member ran.")
        .register(registry);
  }

  private void gauge(String name, String description, ToDoubleFunction<MemberStatus> figure) {
    Gauge.builder(name, status, s -> value(s, figure)).description(description).register(registry);
  }

  private static double value(
      Supplier<Optional<MemberStatus>> status, ToDoubleFunction<MemberStatus> figure) {
    return status.get().map(figure::applyAsDouble).orElse(Double.NaN);
  }
}
