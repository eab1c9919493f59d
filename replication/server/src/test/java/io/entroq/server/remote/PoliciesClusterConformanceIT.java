package io.entroq.server.remote;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The same where each queue has a policy, which changes nothing. */
@ParameterizedClass
@EnumSource(Over.class)
@Tag("long")
class PoliciesClusterConformanceIT extends ServedClusterConformanceIT {
  @Override
  protected boolean isUnderPolicies() {
    return true;
  }
}
