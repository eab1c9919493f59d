package io.entroq.api;

import java.util.List;
import java.util.Objects;

/** The result of a {@link DocClaim}. */
public sealed interface DocClaimResult {
  /**
   * Returns the claimed docs.
   *
   * @throws EntroQException.Dependency if nothing was claimed
   */
  default List<Doc> orThrow() {
    return claimedOrThrow().docs();
  }

  /**
   * Returns this result if it is {@link Claimed}.
   *
   * @throws EntroQException.Dependency if nothing was claimed
   */
  Claimed claimedOrThrow();

  /**
   * The claimant now holds all sets.
   *
   * @param docs the docs of the sets, in the order of the request, then by secondary key
   * @param sets the sets, in the order of the request, with or without docs
   */
  record Claimed(List<Doc> docs, List<DocSet> sets) implements DocClaimResult {
    public Claimed {
      docs = List.copyOf(docs);
      sets = List.copyOf(sets);
    }

    @Override
    public Claimed claimedOrThrow() {
      return this;
    }
  }

  /**
   * Others hold some of the sets, so none was claimed.
   *
   * @param sets the sets that others hold
   * @param docs their docs
   */
  record Held(List<DocSet.Ref> sets, List<Doc.Ref> docs) implements DocClaimResult {
    public Held {
      sets = List.copyOf(sets);
      docs = List.copyOf(docs);
    }

    @Override
    public Claimed claimedOrThrow() {
      throw new EntroQException.Dependency(
          new ModifyResult.DependencyFailure(
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              ModifyResult.DocFailures.heldByOthers(sets, docs)));
    }
  }

  /**
   * The task of the claim is missing, has another version, or its lease has ended, so no set was
   * claimed.
   *
   * @param task the task as the claim named it
   */
  record TaskLost(TaskRef task) implements DocClaimResult {
    public TaskLost {
      Objects.requireNonNull(task, "task");
    }

    @Override
    public Claimed claimedOrThrow() {
      throw new EntroQException.Dependency(
          new ModifyResult.DependencyFailure(
              List.of(), List.of(), List.of(), List.of(task), List.of()));
    }
  }
}
