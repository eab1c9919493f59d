package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ActionType;

/** What a policy may allow, under the name that policies use. */
enum Action {
  CLAIM,
  DELETE,
  CHANGE,
  INSERT,
  READ;

  /** The same in the details of an error. */
  ActionType type() {
    return ActionType.valueOf(name());
  }
}
