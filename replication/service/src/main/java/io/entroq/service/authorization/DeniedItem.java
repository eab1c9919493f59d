package io.entroq.service.authorization;

import java.util.ArrayList;
import java.util.List;

/** The denied actions on a queue or namespace, as the policy names it. */
final class DeniedItem {
  final List<String> actions = new ArrayList<>();
  String exact = "";
  String prefix = "";

  static DeniedItem of(Permission permission) {
    DeniedItem item = new DeniedItem();
    if (permission.isPrefix()) {
      item.prefix = permission.name();
    } else {
      item.exact = permission.name();
    }
    item.actions.add(permission.action().name());
    return item;
  }

  boolean covers(Permission permission) {
    boolean hasName =
        prefix.isEmpty() ? exact.equals(permission.name()) : permission.name().startsWith(prefix);
    return hasName && (actions.isEmpty() || actions.contains(permission.action().name()));
  }

  @Override
  public String toString() {
    return "%s %s".formatted(String.join(", ", actions), exact.isEmpty() ? prefix + "*" : exact);
  }
}
