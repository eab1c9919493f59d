package io.entroq.api.feed;

import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.Policies;
import io.entroq.api.Task;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened to one task, doc, doc set or policy, of which it has exactly one unless
 * its kind is unknown. Immutable.
 *
 * @param kind what
 * @param position after this effect: whoever resumes there sees what follows. Empty if it is part
 *     of the state with which the feed began
 * @param time of the engine's clock, in whole milliseconds
 * @param task the task after it, or as it was last if it is gone; without value unless asked for
 * @param insertSequence tells successive tasks of one id apart; 0 if it is not on a task
 * @param formerQueue the queue that the task has left
 * @param doc the doc after it, or as it was last if it is gone; without value unless asked for
 * @param docSet the doc set after it, or as it was last
 * @param policy the policy after it, or as it was last; without rules if none of them is set. If a
 *     breaker opened: the queue, and until when it is paused
 * @param requester the claimant that asked for it; empty if time did it
 * @param wasInFlight whether somebody worked on the task before
 * @param hasFailed whether the change says that work on the task has failed
 */
public record Effect(
    EffectKind kind,
    Optional<FeedPosition> position,
    Instant time,
    Optional<Task> task,
    long insertSequence,
    Optional<String> formerQueue,
    Optional<Doc> doc,
    Optional<DocSet> docSet,
    Optional<Policies.Entry> policy,
    String requester,
    boolean wasInFlight,
    boolean hasFailed) {
  public Effect {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(formerQueue, "formerQueue");
    Objects.requireNonNull(doc, "doc");
    Objects.requireNonNull(docSet, "docSet");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(requester, "requester");
  }
}
