/**
 * The web below all pages: routes with their roles, requests and answers, URLs, tokens of forms,
 * scripts and styles. {@link io.entroq.console.web.PageSite} checks each request before a page sees
 * it.
 *
 * <p>Event loops hand requests over to the pool of the console, where pages run. Nothing waits
 * there: answers are futures.
 */
package io.entroq.console.web;
