package io.entroq.server.settings;

/** The authorizers, by EntroQ's names. */
public enum AuthorizerName {
  /** Allows everything. */
  NONE,
  /** An Open Policy Agent over HTTP. */
  OPAHTTP,
  /** A mesh policy, as EntroQ's Kubernetes operator writes it. */
  MESH
}
