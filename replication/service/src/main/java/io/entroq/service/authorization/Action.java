package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ActionType;

/** What a policy may allow, by the policies' names. */
enum Action {
  CLAIM(ActionType.CLAIM),
  DELETE(ActionType.DELETE),
  CHANGE(ActionType.CHANGE),
  INSERT(ActionType.INSERT),
  READ(ActionType.READ);

  private final ActionType type;

  Action(ActionType type) {
    this.type = type;
  }

  /** The same in the details of an error. */
  ActionType type() {
    return type;
  }
}
