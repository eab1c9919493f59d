package io.entroq.service.authorization;

import java.util.ArrayList;
import java.util.List;

/** What an authorizer denies for one queue or namespace, as the policy names it. */
final class DeniedItem {
  final List<String> actions = new ArrayList<>();
  String exact = "";
  String prefix = "";

  /** Whether this denies a permission. */
  boolean isAbout(Permission permission) {
    boolean isName =
        prefix.isEmpty() ? exact.equals(permission.name()) : permission.name().startsWith(prefix);
    return isName && (actions.isEmpty() || actions.contains(permission.action().name()));
  }

  @Override
  public String toString() {
    return "%s %s".formatted(String.join(", ", actions), exact.isEmpty() ? prefix + "*" : exact);
  }
}
