package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.service.call.Protocol;

/** What the protocol of a request says of arrival times and of the modes of changes. */
final class ArrivalRules {
  private ArrivalRules() {}

  /**
   * Protocol 2 sends durations: only the server's clock says when they end.
   *
   * @param atMs 0 or less if there is none
   */
  static void check(Protocol protocol, long atMs, String what, String name) {
    if (atMs > 0 && protocol.isTwo()) {
      throw Invalid.because(
          "%s \"%s\" names an arrival instant in at_ms: protocol 2 sends by_ms, a duration the server"
              + " resolves on its own clock",
          what, name);
    }
  }

  /**
   * @param number of the mode, since there may be one without a name
   */
  static void checkMode(Protocol protocol, ChangeMode mode, int number, String what, String name) {
    if (mode == ChangeMode.UNRECOGNIZED) {
      throw Invalid.because("%s %s: mode %d is unknown", what, name, number);
    }
    if (mode != ChangeMode.CHANGE_DEFAULT && !protocol.isTwo()) {
      throw Invalid.needsTwo("%s %s: mode %s is".formatted(what, name, mode), protocol);
    }
  }
}
