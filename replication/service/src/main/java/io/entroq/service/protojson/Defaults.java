package io.entroq.service.protojson;

import io.entroq.service.call.Protocol;

/** Whether JSON has fields whose value is the default. */
public enum Defaults {
  /** Only those that are set, as clients from before protocol 2 know it. */
  OMITTED,

  /** All but unset extensions and alternatives, as EntroQ's own server writes it. */
  SHOWN;

  /** What the callers of a protocol read. The first Python clients took {@code null} for a task. */
  public static Defaults of(Protocol protocol) {
    return protocol.isDeclared() ? SHOWN : OMITTED;
  }
}
