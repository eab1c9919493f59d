package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ActionType;

/** An action that a policy may allow, under the name that policies use. */
enum Action {
  CLAIM,
  DELETE,
  CHANGE,
  INSERT,
  READ;

  /** This action in error details. */
  ActionType type() {
    return ActionType.valueOf(name());
  }
}
