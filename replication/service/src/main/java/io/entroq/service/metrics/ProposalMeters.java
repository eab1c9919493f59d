package io.entroq.service.metrics;

import io.entroq.engine.gateway.ProposalStats;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What the callers of a member wait for. */
final class ProposalMeters {
  private final Meters<ProposalStats> meters;

  ProposalMeters(MeterRegistry registry, Supplier<ProposalStats> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    meters.gauge(
        "entroq.member.requests.in.flight",
        "Requests under way in the member, claims that wait for a task left out.",
        ProposalStats::requestsInFlight);
    meters.gauge(
        "entroq.member.proposals.unsent",
        "Commands that the leader has not taken yet.",
        ProposalStats::unsent);
    meters.gauge(
        "entroq.member.proposals.unanswered",
        "Commands that were sent to the leader and have not come out of the log.",
        ProposalStats::unanswered);
    meters.gauge(
        "entroq.member.proposal.oldest.seconds",
        "For how long the oldest of both has been waiting; 0: there is none.",
        f -> f.oldestNs() / Meters.NS_PER_SECOND);
  }
}
