package io.entroq.server.remote;

/** The same where each queue has a policy, which changes nothing. */
class PoliciesConformanceTest extends RemoteConformanceTest {
  @Override
  protected boolean isUnderPolicies() {
    return true;
  }
}
