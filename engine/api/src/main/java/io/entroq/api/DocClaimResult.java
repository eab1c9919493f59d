package io.entroq.api;

import java.util.List;

/** What came of a claim of docs. */
public sealed interface DocClaimResult {
  /**
   * What was claimed, where nothing else will do.
   *
   * @throws EntroQException.Dependency if others hold some of the docs
   */
  List<Doc> orThrow();

  /**
   * All docs of the key are the claimant's.
   *
   * @param docs by secondary key; empty if there are none
   */
  record Claimed(List<Doc> docs) implements DocClaimResult {
    /** Copies the list. */
    public Claimed {
      docs = List.copyOf(docs);
    }

    @Override
    public List<Doc> orThrow() {
      return docs;
    }
  }

  /**
   * Others hold some of the docs, and none was claimed.
   *
   * @param docs those that others hold
   */
  record Held(List<DocRef> docs) implements DocClaimResult {
    /** Copies the list. */
    public Held {
      docs = List.copyOf(docs);
    }

    @Override
    public List<Doc> orThrow() {
      throw new EntroQException.Dependency(
          new ModifyResult.DependencyFailure(
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              DocFailures.heldByOthers(docs)));
    }
  }
}
