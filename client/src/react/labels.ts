/** The texts of the chat. */
export interface ChatLabels {
  heading: string
  greeting: string
  open: string
  close: string
  reset: string
  message: string
  send: string
  attach: string
  remove: string
  you: string
  assistant: string
  working: string
  waiting: string
  failed: string
  sending: string
  retry: string
  edit: string
  unavailable: string
  offline: string
  busy: string
  rejected: string
  openTask: string
  answered: string
  closed: string
  choose: string
  submit: string
  approve: string
  reject: string
  decline: string
  invalid: string
}

export const DEFAULT_LABELS: ChatLabels = {
  heading: 'Chat',
  greeting: '',
  open: 'Open chat',
  close: 'Close chat',
  reset: 'New conversation',
  message: 'Message',
  send: 'Send',
  attach: 'Attach files',
  remove: 'Remove',
  you: 'You',
  assistant: 'Assistant',
  working: 'Writing an answer…',
  waiting: 'Waiting for the team',
  failed: 'The answer failed. Send your message again.',
  sending: 'Sending…',
  retry: 'Try again',
  edit: 'Edit',
  unavailable: 'This chat is not available.',
  offline: 'No connection.',
  busy: 'The service is busy.',
  rejected: 'The service did not accept this.',
  openTask: 'Answer the form to continue.',
  answered: 'Answered',
  closed: 'Closed',
  choose: 'Choose…',
  submit: 'Submit',
  approve: 'Approve',
  reject: 'Reject',
  decline: 'Decline',
  invalid: 'Enter valid JSON',
}
