package io.entroq.engine.embedded;

/** The same over an engine whose commands others put in order. */
class ReplicatedGatewayIdentityTest extends GatewayIdentityTest {
  @Override
  GatewaySubject open() {
    return new ReplicaLoop();
  }
}
