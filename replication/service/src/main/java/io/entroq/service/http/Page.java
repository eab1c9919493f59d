package io.entroq.service.http;

/**
 * A page for people and monitoring.
 *
 * @param status the HTTP status code
 * @param contentType of the content
 * @param content in UTF-8
 */
public record Page(int status, String contentType, String content) {}
