package io.entroq.cluster.member;

import org.junit.jupiter.api.Tag;

/** The same where each queue has a policy, which changes nothing. */
@Tag("long")
class PoliciesConformanceIT extends ClusterConformanceIT {
  @Override
  protected boolean isUnderPolicies() {
    return true;
  }
}
