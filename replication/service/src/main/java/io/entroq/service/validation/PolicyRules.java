package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.PolicyKind;
import java.util.HashSet;
import java.util.Set;

/** What the writes of policies in a Modify must have; their rules are checked when translated. */
final class PolicyRules {
  private PolicyRules() {}

  /** The number of writes of policies. */
  static int count(ModifyRequest modify) {
    return modify.getPolicyPutsCount() + modify.getPolicyDeletesCount() + modify.getPausesCount();
  }

  /** Refuses two writes of one kind to one policy, and a delete beside any other. */
  static void check(ModifyRequest modify) {
    Set<PolicyName> deleted = new HashSet<>();
    Set<PolicyName> put = new HashSet<>();
    Set<PolicyName> paused = new HashSet<>();
    modify
        .getPolicyDeletesList()
        .forEach(each -> add(new PolicyName(each.getKind(), each.getName()), deleted, Set.of()));
    modify
        .getPolicyPutsList()
        .forEach(each -> add(new PolicyName(each.getKind(), each.getName()), put, deleted));
    modify
        .getPausesList()
        .forEach(each -> add(new PolicyName(each.getKind(), each.getName()), paused, deleted));
  }

  private static void add(PolicyName policy, Set<PolicyName> same, Set<PolicyName> deleted) {
    if (policy.name().isEmpty()) {
      throw Invalid.because("a write of a policy must name it");
    }
    if (!same.add(policy) || deleted.contains(policy)) {
      throw Invalid.because(
          "policy \"%s\" appears in more than one operation of the modification", policy.name());
    }
  }

  private record PolicyName(PolicyKind kind, String name) {}
}
