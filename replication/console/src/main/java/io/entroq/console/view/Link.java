package io.entroq.console.view;

/** A link; its URL is one that {@code PageUrls} has made. */
public record Link(String text, String href) {}
