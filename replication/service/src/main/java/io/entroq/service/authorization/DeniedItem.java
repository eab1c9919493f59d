package io.entroq.service.authorization;

import java.util.ArrayList;
import java.util.List;

/** What an authorizer denies for one queue or namespace, in its own words. */
final class DeniedItem {
  final List<String> actions = new ArrayList<>();
  String exact = "";
  String prefix = "";

  /** Whether this denies a permission. */
  boolean isAbout(Permission demand) {
    boolean isName =
        prefix.isEmpty() ? exact.equals(demand.name()) : demand.name().startsWith(prefix);
    return isName && (actions.isEmpty() || actions.contains(demand.action().name()));
  }

  @Override
  public String toString() {
    return "%s %s".formatted(String.join(", ", actions), exact.isEmpty() ? prefix + "*" : exact);
  }
}
