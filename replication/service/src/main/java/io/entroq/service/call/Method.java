package io.entroq.service.call;

/** The methods of an API. */
public enum Method {
  TRY_CLAIM("TryClaim"),
  CLAIM("Claim"),
  CANCEL_CLAIM("CancelClaim"),
  MODIFY("Modify"),
  TASKS("Tasks"),
  STREAM_TASKS("StreamTasks"),
  QUEUES("Queues"),
  QUEUE_STATS("QueueStats"),
  TIME("Time"),
  DOCS("Docs"),
  CLAIM_DOCS("ClaimDocs"),
  NAMESPACE_STATS("NamespaceStats");

  private final String label;

  Method(String label) {
    this.label = label;
  }

  /** Its name in the API, as {@code TryClaim}. */
  public String label() {
    return label;
  }
}
