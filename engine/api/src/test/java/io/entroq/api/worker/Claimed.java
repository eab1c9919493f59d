package io.entroq.api.worker;

import io.entroq.api.DocSet;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Tasks as claims find them. */
final class Claimed {
  static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private Claimed() {}

  static Task task(String text) {
    return task(text, 1, 0);
  }

  static Task task(String text, int claims, int attempt) {
    return task(text, Value.text(text), claims, attempt);
  }

  static Task task(String id, Value value, int claims, int attempt) {
    return new Task(
        TaskId.of(id),
        claims,
        "inbox",
        TIME.plusSeconds(30),
        "me",
        value,
        TIME,
        TIME,
        claims,
        attempt,
        "");
  }

  static Task atVersion(Task task, int version) {
    return heldBy(task, version, task.claimant());
  }

  static Task heldBy(Task task, int version, String claimant) {
    return new Task(
        task.id(),
        version,
        task.queue(),
        task.arrivalTime(),
        claimant,
        task.value(),
        task.created(),
        task.modified(),
        task.claims(),
        task.attempt(),
        task.err());
  }

  static ModifyResult changed(Task... tasks) {
    return new ModifyResult.Committed(List.of(), List.of(tasks), List.of());
  }

  /** A task whose lease began as it did and has another length. */
  static Task granted(Task task, Duration lease) {
    return new Task(
        task.id(),
        task.version(),
        task.queue(),
        task.modified().plus(lease),
        task.claimant(),
        task.value(),
        task.created(),
        task.modified(),
        task.claims(),
        task.attempt(),
        task.err());
  }

  /** A set without docs. */
  static HeldSet set(String namespace, String key, int version) {
    return new HeldSet(new DocSet.Ref(namespace, key, version), Set.of());
  }

  /** All tasks of a renewal at one version, and all its sets at another. */
  static ModifyResult changed(LeaseCall.Renewal call, int version, int setVersion) {
    return new ModifyResult.Committed(
        List.of(),
        call.leases().stream().map(lease -> atVersion(lease.task, version)).toList(),
        List.of(),
        List.of(),
        List.of(),
        call.modification().docs().setLeases().stream()
            .map(DocSet.LeaseChange::set)
            .map(set -> new DocSet(set.namespace(), set.key(), setVersion, "me", TIME, 0))
            .toList());
  }

  /** A set whose lease cannot be changed. */
  static ModifyResult missing(DocSet.Ref set) {
    return new ModifyResult.DependencyFailure(
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new ModifyResult.DocFailures(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(set),
            List.of(),
            List.of()));
  }

  static ModifyResult missing(TaskRef ref) {
    return new ModifyResult.DependencyFailure(
        List.of(), List.of(), List.of(), List.of(ref), List.of());
  }
}
