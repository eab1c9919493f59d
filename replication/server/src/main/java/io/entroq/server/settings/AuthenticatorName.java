package io.entroq.server.settings;

/** The authenticators, by EntroQ's names. */
public enum AuthenticatorName {
  /** Callers need not say who they are. */
  NONE,
  /** Signed tokens, JSON Web Tokens. */
  JWT
}
