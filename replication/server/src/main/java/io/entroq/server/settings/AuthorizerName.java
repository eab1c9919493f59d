package io.entroq.server.settings;

/** Who decides what callers may do, by the words that EntroQ has for it. */
public enum AuthorizerName {
  /** Everybody may do everything. */
  NONE,
  /** An Open Policy Agent that is asked over HTTP. */
  OPAHTTP
}
