package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.service.translation.ErrorDetailSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * The error details of a denial: the policy's messages, then an entry for each queue (contract
 * 1.9.2).
 */
final class DenialDetails {
  private final ErrorDetailSpace room = new ErrorDetailSpace();
  private final List<AuthzDep> texts = new ArrayList<>();
  private final List<AuthzDep> queues = new ArrayList<>();
  private int leftOut;

  /** What the policy says in words. Clients know words by their not being empty. */
  void error(String message) {
    if (!message.isEmpty()) {
      text(message);
    }
  }

  /** What is not allowed about a queue. */
  void queue(DeniedItem failed) {
    AuthzDep.Builder entry = AuthzDep.newBuilder().setExact(failed.exact).setPrefix(failed.prefix);
    for (String name : failed.actions) {
      ActionType type = type(name);
      if (type == ActionType.UNRECOGNIZED) {
        // In the location of a name of a queue clients would take it for one.
        text("WARNING: Unknown action \"%s\"".formatted(name));
      } else {
        entry.addActions(type);
      }
    }
    add(queues, entry.build());
  }

  /** What is not allowed about docs, for which clients have no location but the words. */
  void namespace(DeniedItem failed) {
    text("namespace: " + failed);
  }

  private void text(String message) {
    add(texts, detail(message));
  }

  private void add(List<AuthzDep> entries, AuthzDep entry) {
    if (room.take(entry)) {
      entries.add(entry);
    } else {
      leftOut++;
    }
  }

  private static AuthzDep detail(String message) {
    return AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg(message).build();
  }

  private static ActionType type(String name) {
    for (Action action : Action.values()) {
      if (action.name().equals(name)) {
        return action.type();
      }
    }
    return ActionType.UNRECOGNIZED;
  }

  /** All that fits into an error. */
  List<AuthzDep> build() {
    List<AuthzDep> entries = new ArrayList<>(texts);
    entries.addAll(queues);
    if (leftOut > 0) {
      entries.add(detail("and " + leftOut + " more that would not fit"));
    }
    return entries;
  }
}
