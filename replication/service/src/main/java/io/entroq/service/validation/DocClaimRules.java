package io.entroq.service.validation;

import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.Protocol;
import java.util.HashSet;
import java.util.Set;

/** What a claim of doc sets must have. */
final class DocClaimRules {
  /** As many as a claim of tasks may have queues. */
  private static final int SETS_MAX = 1_000;

  private DocClaimRules() {}

  static void check(DocClaim claim, Protocol protocol) {
    if (claim.getSetsCount() > 0) {
      if (!protocol.isTwo()) {
        throw Invalid.needsTwo("sets are", protocol);
      }
      checkSets(claim);
    } else {
      if (claim.getNamespace().isEmpty() || claim.getKey().isEmpty()) {
        throw Invalid.because("doc claim must name a doc set");
      }
      DocRules.requireShort(claim.getNamespace(), claim.getKey());
    }
    ClaimRules.requireClaimant(claim.getClaimant(), "doc claim");
    ClaimRules.requirePositive(claim.getDurationMs());
    if (claim.hasTaskToMatch()) {
      checkTask(claim.getTaskToMatch(), protocol);
    }
  }

  private static void checkSets(DocClaim claim) {
    if (claim.getSetsCount() > SETS_MAX) {
      throw Invalid.because("doc claim names %d sets, limit is %d", claim.getSetsCount(), SETS_MAX);
    }
    Set<DocID> seen = claim.getSetsCount() == 1 ? null : new HashSet<>();
    for (int i = 0; i < claim.getSetsCount(); i++) {
      DocID set = claim.getSets(i).getSet();
      checkSet(set);
      if (seen != null && !seen.add(name(set))) {
        throw Invalid.because(
            "doc claim names set \"%s\" in \"%s\" more than once",
            set.getKey(), set.getNamespace());
      }
    }
  }

  private static void checkSet(DocID set) {
    if (set.hasId()) {
      throw Invalid.because("a doc set is named by its key, not a doc ID");
    }
    if (!set.getSecondaryKey().isEmpty()) {
      throw Invalid.because("a doc set is named by its key alone, not a secondary key");
    }
    if (set.getNamespace().isEmpty() || set.getKey().isEmpty()) {
      throw Invalid.because(
          "a doc set is named by its namespace and key, got key \"%s\" in \"%s\"",
          set.getKey(), set.getNamespace());
    }
    DocRules.requireShort(set.getNamespace(), set.getKey());
  }

  /** Without its version, which a claim does not compare. */
  private static DocID name(DocID set) {
    return DocID.newBuilder().setNamespace(set.getNamespace()).setKey(set.getKey()).build();
  }

  private static void checkTask(TaskID task, Protocol protocol) {
    if (!protocol.isTwo()) {
      throw Invalid.needsTwo("task_to_match is", protocol);
    }
    if (task.getId().isEmpty() || task.getQueue().isEmpty() || task.getVersion() <= 0) {
      throw Invalid.because(
          "task_to_match must name id, version and queue, got id \"%s\", version %d and queue \"%s\"",
          task.getId(), task.getVersion(), task.getQueue());
    }
  }
}
