package io.entroq.api;

import java.util.List;

/** The result of a {@link DocClaim}. */
public sealed interface DocClaimResult {
  /**
   * Returns the claimed docs.
   *
   * @throws EntroQException.Dependency if others hold some of the docs
   */
  List<Doc> orThrow();

  /**
   * The claimant now holds all docs of the key.
   *
   * @param docs ordered by secondary key; empty if the key has no docs
   */
  record Claimed(List<Doc> docs) implements DocClaimResult {
    public Claimed {
      docs = List.copyOf(docs);
    }

    @Override
    public List<Doc> orThrow() {
      return docs;
    }
  }

  /**
   * Others hold some of the docs, so none was claimed.
   *
   * @param docs the docs that others hold
   */
  record Held(List<DocRef> docs) implements DocClaimResult {
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
