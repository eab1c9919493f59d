package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.service.translation.ErrorDetailSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The error details of a denial: the policy's messages, then the queues (contract 1.9.2). */
final class DenialDetails {
  private final ErrorDetailSpace space = new ErrorDetailSpace();
  private final List<AuthzDep> texts = new ArrayList<>();
  private final List<AuthzDep> queues = new ArrayList<>();
  private int omitted;

  /** Adds a message of the policy. Clients would mistake an empty one for a queue. */
  void error(String message) {
    if (!message.isEmpty()) {
      text(message);
    }
  }

  /** Adds a denied queue. */
  void queue(DeniedItem failed) {
    AuthzDep.Builder entry = AuthzDep.newBuilder().setExact(failed.exact).setPrefix(failed.prefix);
    for (String name : failed.actions) {
      ActionType type = type(name);
      if (type == ActionType.UNRECOGNIZED) {
        // In the entry, clients would mistake it for the name of a queue.
        text("WARNING: Unknown action \"%s\"".formatted(name));
      } else {
        entry.addActions(type);
      }
    }
    add(queues, entry.build());
  }

  /** Adds a denied namespace as a message, since entries have no field for it. */
  void namespace(DeniedItem failed) {
    text("namespace: " + failed);
  }

  private void text(String message) {
    add(texts, detail(message));
  }

  private void add(List<AuthzDep> entries, AuthzDep entry) {
    if (space.take(entry)) {
      entries.add(entry);
    } else {
      omitted++;
    }
  }

  private static AuthzDep detail(String message) {
    return AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg(message).build();
  }

  private static ActionType type(String name) {
    return Stream.of(Action.values())
        .filter(action -> action.name().equals(name))
        .map(Action::type)
        .findFirst()
        .orElse(ActionType.UNRECOGNIZED);
  }

  /** The entries that fit into an error. */
  List<AuthzDep> build() {
    List<AuthzDep> entries = new ArrayList<>(texts);
    entries.addAll(queues);
    if (omitted > 0) {
      entries.add(detail("and " + omitted + " more that would not fit"));
    }
    return entries;
  }
}
