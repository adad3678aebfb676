;;; plankeep.el --- Record what changes in a Markdown plan -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: outlines, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Runs the program plankeep, which has to be in `exec-path':
;;
;;   (load "/path/to/plankeep.el")
;;   (plankeep-mode 1)
;;
;; From then on a plan that is saved is recorded in the background.
;;
;;   M-x plankeep-status   how far the plan is
;;   M-x plankeep-next     what to do now
;;   M-x plankeep-lint     mistakes of the plan; next-error goes from one to the next

;;; Code:

(require 'compile)

(defgroup plankeep nil
  "Keep a Markdown plan."
  :group 'tools)

(defcustom plankeep-program "plankeep"
  "The program, by its name or its path."
  :type 'string
  :group 'plankeep)

(defcustom plankeep-names nil
  "Names of files that are plans, besides plan.md."
  :type '(repeat string)
  :group 'plankeep)

(defun plankeep--plan-p (file)
  "Whether FILE is a plan by its name."
  (let ((name (file-name-nondirectory file)))
    (or (string= (downcase name) "plan.md")
        (member name plankeep-names))))

(defun plankeep--plan-arguments ()
  "The buffer's own file when it is Markdown; nil leaves the choice to plankeep."
  (when (and buffer-file-name
             (not (file-remote-p buffer-file-name))
             (let ((case-fold-search t))
               (string-match-p "\\.\\(md\\|markdown\\)\\'" buffer-file-name)))
    (list "--plan" buffer-file-name)))

(defun plankeep--synced (process _event)
  "Say so when PROCESS did not record the plan.
Exit status 3 means that the file is not a tracked plan: no message."
  (when (memq (process-status process) '(exit signal))
    (unless (memq (process-exit-status process) '(0 3))
      (message "plankeep: the plan was not recorded (exit status %d): plankeep sync says why"
               (process-exit-status process)))))

(defun plankeep--after-save ()
  "Record the plan that was saved, in the background."
  (when (and buffer-file-name
             (plankeep--plan-p buffer-file-name)
             (not (file-remote-p buffer-file-name))
             (executable-find plankeep-program))
    (make-process :name "plankeep-sync"
                  :buffer nil
                  :noquery t
                  :connection-type 'pipe
                  :sentinel #'plankeep--synced
                  :command (list plankeep-program "sync" "--plan" buffer-file-name))))

(defun plankeep--show (command)
  "Show what COMMAND of plankeep prints."
  (let ((arguments (cons command (plankeep--plan-arguments)))
        (folder default-directory)
        (buffer (get-buffer-create (format "*plankeep %s*" command))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t)
            (default-directory folder)
            (coding-system-for-read 'utf-8))
        (erase-buffer)
        (apply #'call-process plankeep-program nil t nil arguments)
        (goto-char (point-min)))
      (special-mode))
    (display-buffer buffer)))

;;;###autoload
(defun plankeep-status ()
  "Show how far the plan is."
  (interactive)
  (plankeep--show "status"))

;;;###autoload
(defun plankeep-next ()
  "Show what to do now."
  (interactive)
  (plankeep--show "next"))

;;;###autoload
(defun plankeep-lint ()
  "List the mistakes of the plan; `next-error' goes from one to the next."
  (interactive)
  (let ((words (append (list plankeep-program "lint") (plankeep--plan-arguments))))
    (compilation-start (mapconcat #'shell-quote-argument words " ")
                       nil
                       (lambda (_mode) "*plankeep lint*"))))

;;;###autoload
(define-minor-mode plankeep-mode
  "Record plans when they are saved."
  :global t
  :group 'plankeep
  (if plankeep-mode
      (add-hook 'after-save-hook #'plankeep--after-save)
    (remove-hook 'after-save-hook #'plankeep--after-save)))

(provide 'plankeep)

;;; plankeep.el ends here
