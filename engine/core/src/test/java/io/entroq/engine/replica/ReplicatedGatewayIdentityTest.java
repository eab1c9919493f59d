package io.entroq.engine.replica;

import io.entroq.engine.embedded.GatewayIdentityTest;
import io.entroq.engine.embedded.GatewaySubject;

/** The same over an engine whose commands others put in order. */
class ReplicatedGatewayIdentityTest extends GatewayIdentityTest {
  @Override
  protected GatewaySubject open() {
    return new ReplicaLoop();
  }
}
